import { selfOf, type Self } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import type { ApplicationDocument } from './contract.ts';

/** Encrypted, since document names reveal owner and content. */
export const sealedDocumentName = sealedColumn('application_documents', 'name');

export function documentRows({ db }: Ctx) {
  return db
    .selectFrom('application_documents')
    .innerJoin('files', 'files.id', 'application_documents.id')
    .select(['application_documents.id', 'person_id', 'application_id', 'application_documents.name'])
    .select(['content_type', 'size'])
    .orderBy('uploaded_at')
    .orderBy('application_documents.id');
}

type Row = Awaited<ReturnType<ReturnType<typeof documentRows>['executeTakeFirstOrThrow']>>;

export function documentView({ keyring }: Ctx, row: Row): ApplicationDocument {
  return {
    id: row.id,
    name: sealedDocumentName.open(keyring, row.id, row.name),
    contentType: row.content_type,
    size: row.size,
    path: `/api/application/documents/${row.id}`,
  };
}

/** By application. Callers must have checked access. */
export async function documentsOf(
  ctx: Ctx,
  applicationIds: readonly string[],
): Promise<Map<string, ApplicationDocument[]>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await documentRows(ctx)
    .where('application_id', 'in', [...applicationIds])
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ application_id }) => application_id!)].map(([id, own]) => [
      id,
      own.map((row) => documentView(ctx, row)),
    ]),
  );
}

/** Returns each document's last view by a person, from the audit log. Omits unopened documents. */
export async function openingsOf(
  { db }: Ctx,
  personId: Self,
  documents: readonly { id: string }[],
): Promise<Map<string, string>> {
  if (documents.length === 0) return new Map();
  const rows = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => ['subject_id', fn.max('at').as('at')])
    .where('actor_id', '=', personId)
    .where('action', '=', 'provider.document_viewed')
    .where(
      'subject_id',
      'in',
      documents.map(({ id }) => id),
    )
    .groupBy('subject_id')
    .execute();
  return new Map(rows.map(({ subject_id, at }) => [subject_id!, at.toISOString()]));
}

export async function unsentDocuments(ctx: Ctx): Promise<ApplicationDocument[]> {
  const rows = await documentRows(ctx)
    .where('person_id', '=', selfOf(ctx))
    .where('application_id', 'is', null)
    .execute();
  return rows.map((row) => documentView(ctx, row));
}
