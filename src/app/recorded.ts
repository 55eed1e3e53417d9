import { sql } from 'kysely';
import { recordedPeople } from '#/features/accounts/names/queries.ts';
import type { Recorded } from '#/features/audit/log/queries.ts';
import { changesAt } from '#/features/settings/queries.ts';
import { minuteText } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { m } from '#/texts/messages.js';

/** Owners of audited rows, as far as administrators may see: reviews name only their specialist, messages nobody. */
const owners: Readonly<Record<string, { table: string; people: readonly string[] }>> = {
  provider: { table: 'providers', people: ['id'] },
  application: { table: 'provider_applications', people: ['person_id'] },
  credential: { table: 'provider_credentials', people: ['provider_id'] },
  document: { table: 'application_documents', people: ['person_id'] },
  place: { table: 'places', people: ['provider_id'] },
  booking: { table: 'bookings', people: ['client_id'] },
  appointment: { table: 'appointments', people: ['client_id', 'provider_id'] },
  wait: { table: 'waits', people: ['client_id', 'provider_id'] },
  review: { table: 'reviews', people: ['provider_id'] },
};

/** Rows with a public title. */
const titled: Readonly<Record<string, { table: string; title: string; key: 'uuid' | 'text' }>> = {
  resource: { table: 'resources', title: 'title', key: 'uuid' },
  site_token: { table: 'api_tokens', title: 'name', key: 'uuid' },
  service: { table: 'services', title: 'title', key: 'text' },
  feature_flag: { table: 'feature_flags', title: 'name', key: 'text' },
};

/** Rows with private text: identified only by date. */
const dated: Readonly<Record<string, { table: string; at: string }>> = {
  backup: { table: 'backups', at: 'requested_at' },
  contact_message: { table: 'contact_messages', at: 'sent_at' },
  conversation: { table: 'conversations', at: 'opened_at' },
  message: { table: 'messages', at: 'sent_at' },
};

type Subjects = readonly { kind: string; id: string }[];

export const recorded: Recorded = {
  ...recordedPeople,
  async subjectNames(ctx, subjects) {
    const names = new Map<string, string>();
    const owned = await ownersOf(ctx, subjects);
    const ids = new Set([...owned.values()].flat());
    const known = await recordedPeople.namesOf(ctx, [...ids]);
    const nameOf = new Map(known.map(({ id, name }) => [id, name]));
    for (const [id, people] of owned) {
      const [first, second] = people.map((one) => nameOf.get(one) ?? m.web_erased_account());
      if (first) names.set(id, second ? m.audit_subject_pair({ first, second }) : first);
    }
    const sessions = idsOf(subjects, 'appointment');
    for (const { id, value } of await rowsOf<Date>(ctx, 'appointments', 'starts_at', sessions))
      names.set(id, `${names.get(id)}, ${minuteText(value)}`);
    for (const [kind, { table, title, key }] of Object.entries(titled))
      for (const row of await rowsOf<string>(ctx, table, title, idsOf(subjects, kind), key))
        names.set(row.id, row.value);
    for (const [kind, { table, at }] of Object.entries(dated))
      for (const row of await rowsOf<Date>(ctx, table, at, idsOf(subjects, kind)))
        names.set(row.id, minuteText(row.value));
    return names;
  },
  async reasonsOf(ctx, ids) {
    const tables = ['provider_applications', 'provider_credentials'];
    const rows = await Promise.all(tables.map((table) => rowsOf<string | null>(ctx, table, 'reason', ids)));
    return new Map(rows.flat().flatMap(({ id, value }) => (value ? [[id, value] as const] : [])));
  },
  settingsAt: changesAt,
};

function idsOf(subjects: Subjects, kind: string): string[] {
  return subjects.filter((one) => one.kind === kind).map(({ id }) => id);
}

async function rowsOf<Value>(
  { db }: Ctx,
  table: string,
  column: string,
  ids: readonly string[],
  key: 'uuid' | 'text' = 'uuid',
) {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; value: Value }>`
    select id::text, ${sql.ref(column)} as value from ${sql.table(table)} where id = any(${ids}::${sql.raw(key)}[])`.execute(
    db,
  );
  return rows;
}

async function ownersOf({ db }: Ctx, subjects: Subjects): Promise<Map<string, string[]>> {
  const owned = new Map<string, string[]>();
  for (const [kind, { table, people }] of Object.entries(owners)) {
    const ids = idsOf(subjects, kind);
    if (ids.length === 0) continue;
    const { rows } = await sql<{ id: string; people: string[] }>`
      select id, array[${sql.join(people.map((one) => sql.ref(one)))}] as people
        from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(db);
    for (const row of rows) owned.set(row.id, row.people);
  }
  return owned;
}
