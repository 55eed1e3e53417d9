import { sql, type RawBuilder } from 'kysely';
import { sealed as sealedProfile } from '#/features/accounts/queries.ts';
import { sealed as sealedAppointments } from '#/features/appointments/appointment/queries.ts';
import { sealed as sealedContact } from '#/features/contact/queries.ts';
import { sealedRequest } from '#/features/guest-booking/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { SealedColumn } from '#/platform/sealed-column.ts';
import { sealed as sealedMail } from '#/platform/mail/sealing.ts';

/** A column earlier releases stored unencrypted. */
interface ClearColumn {
  name: string;
  into: SealedColumn;
  text: RawBuilder<unknown>;
  /** The column's value after encryption. */
  blank: RawBuilder<unknown>;
}

/** A table's unencrypted columns, and the partial index condition matching their rows. */
interface ClearTable {
  columns: readonly ClearColumn[];
  left: RawBuilder<unknown>;
}

const words = (name: string, into: SealedColumn): ClearColumn => ({
  name,
  into,
  text: sql`nullif(${sql.ref(name)}, '')`,
  blank: sql`''`,
});
const optional = (name: string, into: SealedColumn): ClearColumn => ({
  ...words(name, into),
  blank: sql`null`,
});

const clearTables: readonly ClearTable[] = [
  {
    columns: [
      words('spiritual_tradition', sealedProfile.tradition),
      {
        name: 'mental_health_focus',
        into: sealedProfile.focus,
        text: sql`case when mental_health_focus <> '{}' then to_json(mental_health_focus)::text end`,
        blank: sql`'{}'`,
      },
    ],
    left: sql`spiritual_tradition <> '' or mental_health_focus <> '{}'`,
  },
  {
    columns: [
      optional('cancel_reason', sealedAppointments.cancelReason),
      optional('moved_reason', sealedAppointments.movedReason),
    ],
    left: sql`cancel_reason is not null or moved_reason is not null`,
  },
  {
    columns: [{ name: 'input', into: sealedRequest, text: sql`input::text`, blank: sql`null` }],
    left: sql`input is not null`,
  },
  {
    columns: [
      words('name', sealedContact.name),
      words('subject', sealedContact.subject),
      words('message', sealedContact.message),
      words('note', sealedContact.note),
    ],
    left: sql`name <> '' or subject <> '' or message <> '' or note <> ''`,
  },
  {
    columns: [
      words('subject', sealedMail.subject),
      words('text_body', sealedMail.text),
      words('html_body', sealedMail.html),
      {
        name: 'attachments',
        into: sealedMail.attachments,
        text: sql`nullif(attachments, '[]')::text`,
        blank: sql`null`,
      },
      optional('unsubscribe_url', sealedMail.unsubscribeUrl),
    ],
    left: sql`subject <> '' or text_body <> '' or html_body <> '' or attachments <> '[]' or unsubscribe_url is not null`,
  },
];

const batch = 500;

/**
 * Encrypts and blanks texts stored unencrypted by earlier releases, in batches, and returns the row count. Safe to
 * interrupt, rerun or run beside live servers: the next run picks up concurrently changed rows.
 */
export async function sealClear(ctx: Pick<Ctx, 'db' | 'keyring'>, tables = clearTables): Promise<number> {
  let sealed = 0;
  for (const table of tables) {
    for (let after: string | null = null; ;) {
      const rows: ClearRow[] = await rowsLeft(ctx, table, after);
      for (const row of rows) sealed += await sealRow(ctx, table, row);
      after = rows.at(-1)?.id ?? null;
      if (rows.length < batch) break;
    }
  }
  return sealed;
}

interface ClearRow {
  id: string;
  texts: (string | null)[];
}

function nameOf({ columns }: ClearTable): RawBuilder<unknown> {
  return sql.table(columns[0]!.into.table);
}

function textsOf({ columns }: ClearTable): RawBuilder<unknown> {
  return sql`array[${sql.join(columns.map(({ text }) => sql`(${text})::text`))}]`;
}

async function rowsLeft(
  { db }: Pick<Ctx, 'db'>,
  table: ClearTable,
  after: string | null,
): Promise<ClearRow[]> {
  const { rows } = await sql<ClearRow>`
    select id, ${textsOf(table)} as texts from ${nameOf(table)}
     where (${table.left}) and (${after}::uuid is null or id > ${after}::uuid)
     order by id limit ${batch}`.execute(db);
  return rows;
}

async function sealRow(
  { db, keyring }: Pick<Ctx, 'db' | 'keyring'>,
  table: ClearTable,
  { id, texts }: ClearRow,
): Promise<number> {
  const changes = table.columns.flatMap(({ name, into, blank }, index) => {
    const text = texts[index] ?? null;
    const blanked = sql`${sql.ref(name)} = ${blank}`;
    return text === null
      ? [blanked]
      : [blanked, sql`${sql.ref(into.column)} = ${into.seal(keyring, id, text)}`];
  });
  const { numAffectedRows } = await sql`
    update ${nameOf(table)} set ${sql.join(changes)}
     where id = ${id} and ${textsOf(table)} is not distinct from ${texts}::text[]`.execute(db);
  return Number(numAffectedRows ?? 0);
}
