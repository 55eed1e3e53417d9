import { selfOf } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { isExpired } from '../practice/rules.ts';
import { documentsOf, openingsOf, unsentDocuments } from '../documents/queries.ts';
import type { ApplicationDocument } from '../documents/contract.ts';
import type { Application, ApplicationStatus, CheckedApplication, OwnApplication } from './contract.ts';

/** Returns the actor's latest application, and uploaded documents not submitted yet. */
export async function ownApplication(
  ctx: Ctx,
): Promise<{ application: OwnApplication | null; documents: ApplicationDocument[] }> {
  const row = await ctx.db
    .selectFrom('provider_applications')
    .select(['id', 'status', 'kind as type', 'specialization', 'submitted_at', 'decided_at', 'reason'])
    .where('person_id', '=', selfOf(ctx))
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const documents = await unsentDocuments(ctx);
  if (!row) return { application: null, documents };
  const { submitted_at, decided_at, ...shown } = row;
  const application = {
    ...shown,
    submittedAt: submitted_at.toISOString(),
    decidedAt: decided_at?.toISOString() ?? null,
    documents: (await documentsOf(ctx, [row.id])).get(row.id) ?? [],
  };
  return { application, documents };
}

export async function pendingApplicationCount({ db }: Ctx): Promise<number> {
  const { n } = await db
    .selectFrom('provider_applications')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return n;
}

/** Returns applications of a status, newest first, with counts per status. */
export async function listApplications(
  ctx: Ctx,
  { status, after, limit }: { status: ApplicationStatus; after?: string | undefined; limit: number },
): Promise<{ applications: Application[]; more: boolean; counts: Record<ApplicationStatus, number> }> {
  const { db } = ctx;
  const rows = await applicationRows(ctx)
    .where('a.status', '=', status)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('a.submitted_at', 'a.id'),
          '<',
          selectFrom('provider_applications as last')
            .select(['last.submitted_at', 'last.id'])
            .where('last.id', '=', after!)
            .$asTuple('submitted_at', 'id'),
        ),
      ),
    )
    .orderBy('a.submitted_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const [documents, counted] = await Promise.all([
    documentsOf(
      ctx,
      shown.map(({ id }) => id),
    ),
    db
      .selectFrom('provider_applications')
      .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute(),
  ]);
  const countOf = (one: ApplicationStatus) => counted.find((row) => row.status === one)?.count ?? 0;
  return {
    applications: shown.map((row) => ({ ...applicationOf(row), documents: documents.get(row.id) ?? [] })),
    more: rows.length > limit,
    counts: { pending: countOf('pending'), approved: countOf('approved'), rejected: countOf('rejected') },
  };
}

function applicationRows({ db }: Ctx) {
  return db
    .selectFrom('provider_applications as a')
    .innerJoin('users', 'users.id', 'a.person_id')
    .leftJoin('providers', 'providers.id', 'a.person_id')
    .selectAll('a')
    .select(['users.email', 'approval_revoked_at'])
    .select(({ selectFrom }) =>
      selectFrom('services')
        .select(({ fn }) => fn<string[] | null>('array_agg', ['services.title']).as('titles'))
        .whereRef('services.id', '=', ({ fn }) => fn.any('a.service_ids'))
        .as('services'),
    );
}

type ApplicationRow = Awaited<ReturnType<ReturnType<typeof applicationRows>['executeTakeFirstOrThrow']>>;

function applicationOf(row: ApplicationRow): Omit<Application, 'documents'> {
  return {
    id: row.id,
    personId: row.person_id,
    status: row.status,
    type: row.kind,
    name: row.full_name,
    email: row.email,
    phone: row.phone,
    specialization: row.specialization,
    experience: row.experience,
    education: row.education,
    location: row.location,
    timeZone: row.time_zone,
    bio: row.bio,
    languages: row.languages,
    services: row.services ?? [],
    credential: {
      kind: row.credential_kind,
      number: row.credential_number,
      issuer: row.credential_issuer,
      region: row.credential_region,
      expiresOn: row.credential_expires_on,
    },
    submittedAt: row.submitted_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    revokedAt: row.approval_revoked_at?.toISOString() ?? null,
  };
}

/** Returns an application with the documents the actor opened; null for unknown ids. */
export async function applicationToCheck(
  ctx: Ctx,
  applicationId: string,
): Promise<CheckedApplication | null> {
  const row = await applicationRows(ctx).where('a.id', '=', applicationId).executeTakeFirst();
  if (!row) return null;
  const documents = (await documentsOf(ctx, [row.id])).get(row.id) ?? [];
  const openings = await openingsOf(ctx, selfOf(ctx), documents);
  const today = ctx.now().toString().slice(0, 10);
  return {
    ...applicationOf(row),
    documents: documents.map((one) => ({ ...one, openedAt: openings.get(one.id) ?? null })),
    expired: isExpired(row.credential_expires_on, today),
  };
}

/** Returns the decision for its notification email, or undefined if the application is gone. */
export async function applicationNotice(
  { db }: Ctx,
  applicationId: string,
): Promise<{ personId: string; status: 'approved' | 'rejected' } | undefined> {
  const row = await db
    .selectFrom('provider_applications')
    .select(['person_id', 'status'])
    .where('id', '=', applicationId)
    .executeTakeFirst();
  if (!row || row.status === 'pending') return undefined;
  return { personId: row.person_id, status: row.status };
}
