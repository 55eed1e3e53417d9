import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { systemNow } from '#/platform/clock.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { entriesOf } from '../support/archive.ts';
import { acceptedInputs, procedures, requestOf } from '../support/procedures.ts';
import { castOf, problemIn, testServer, type Cast, type Visitor } from '../support/server.ts';
import { sampleOf } from '../support/prove.ts';

const server = await testServer();
const { db, runJobs, setNow } = server.database;

/** Words unique to the notes. */
const [privately, onRecord] = ['rosemarywords', 'marjoramwords'];
const either = /rosemarywords|marjoramwords/;

let cast: Cast;
let notes: { private: string; record: string };

async function write(path: string, text: string): Promise<string> {
  const { status, json } = await cast.provider.send('POST', `/api/clients/${cast.clientId}/${path}`, {
    body: { text, appointmentId: cast.appointmentId },
  });
  expect(status).toBe(201);
  return (json as { id: string }).id;
}

beforeAll(async () => {
  cast = await castOf(server);
  notes = {
    private: await write('private-notes', `${privately} about fear`),
    record: await write('notes', `${onRecord} about sleep`),
  };
  // Sharing everything doesn't expose private notes.
  const shared = { profile: true, goals: true, progress: true };
  await cast.client.send('POST', `/api/me/sharing/${cast.providerId}`, { body: shared });
});

test('lets the author read both kinds through their own procedures only', async () => {
  const list = async (path: string) =>
    (await cast.provider.send('GET', `/api/clients/${cast.clientId}/${path}`)).text;
  expect(await list('private-notes')).toContain(privately);
  expect(await list('private-notes')).not.toContain(onRecord);
  expect(await list('notes')).toContain(onRecord);
  expect(await list('notes')).not.toContain(privately);
});

/** Exports an account's archive and reads its files. */
async function archiveOf(visitor: Visitor): Promise<Map<string, Buffer>> {
  await visitor.send('POST', '/api/me/reauthentication', { body: { password: demoPassword } });
  const { json } = await visitor.send('POST', '/api/me/exports', { body: {} });
  // Uses the real clock: archives expire after some days.
  setNow(systemNow().toString());
  await runJobs();
  const made = await visitor.send('GET', `/api/me/exports/${(json as { id: string }).id}`);
  const ctx = server.database.as({ kind: 'system' });
  const { file_id } = await ctx.db
    .selectFrom('exports')
    .where('id', '=', (made.json as { id: string }).id)
    .select('file_id')
    .executeTakeFirstOrThrow();
  const stream = await ctx.files.read(ctx, file_id!);
  return entriesOf(Buffer.from(await new Response(stream).arrayBuffer()));
}

test('omits them from client and author archives, which say so', { tags: ['long'] }, async () => {
  const said: string[] = [];
  for (const visitor of [cast.client, cast.provider, cast.admin]) {
    const archive = await archiveOf(visitor);
    const words = [...archive.values()].map((bytes) => bytes.toString('latin1')).join('\n');
    expect(words).not.toMatch(either);
    said.push(archive.get('left-out.html')!.toString());
  }
  expect(said[0]).toContain('Only their author can open them');
  expect(said[1]).toContain('so no export includes them. You can read them');
});

test('exposes no text through any procedure, even by id', async () => {
  const inputs = acceptedInputs(cast);
  const others: [string, Visitor][] = [
    ['a guest', server.guest],
    ['the client', cast.client],
    ['another client', cast.otherClient],
    ['another provider', cast.otherProvider],
    ['an administrator', cast.admin],
    ['the author', cast.provider],
  ];
  // The last one deletes what its author wrote.
  const own = /^(?:care\.(?:notes|privateNotes)\.(?:list|write|change|remove)|words\.startOver)$/;
  const leaks: string[] = [];
  let asked = 0;
  for (const procedure of procedures) {
    for (const [who, visitor] of sampleOf(others, 3)) {
      if (visitor === cast.provider && own.test(procedure.name)) continue;
      // Tries the original input, then a note's id in every id field.
      const wishes = [
        {},
        ...sampleOf(Object.values(notes), 1).map((id) => idsIn(inputs[procedure.name], id)),
      ].map((ids) => ({
        ...inputs[procedure.name],
        ...ids,
        ...searchingIn(inputs[procedure.name]),
      }));
      for (const wish of new Map(wishes.map((one) => [JSON.stringify(one), one])).values()) {
        const { text } = await visitor.send(...requestOf(procedure, wish));
        asked += 1;
        if (either.test(text)) leaks.push(`${procedure.name} to ${who}`);
      }
    }
  }
  expect(leaks).toEqual([]);
  expect(asked).toBeGreaterThan(1_000);
  // Confirms the calls above didn't delete the note.
  expect((await cast.provider.send('GET', `/api/clients/${cast.clientId}/private-notes`)).text).toContain(
    privately,
  );
});

type Input = Readonly<Record<string, unknown>> | undefined;

/** Replaces every id in the input except the client's. */
function idsIn(input: Input, id: string): Record<string, string> {
  const fields = Object.entries(input ?? {}).filter(
    ([key, value]) => key !== 'clientId' && typeof value === 'string' && value.length === id.length,
  );
  return Object.fromEntries(fields.filter(([key]) => /Id$|^id$/.test(key)).map(([key]) => [key, id]));
}

function searchingIn(input: Input): Record<string, string> {
  return Object.fromEntries(
    ['search', 'q'].filter((key) => key in (input ?? {})).map((key) => [key, privately]),
  );
}

test('repeats no text in refusals or logs', async () => {
  const text = `${privately} \u0000`;
  for (const [visitor, path, body] of [
    [cast.provider, `/api/clients/${cast.clientId}/private-notes`, { text }],
    [
      cast.provider,
      `/api/clients/${cast.clientId}/private-notes`,
      { text: privately, appointmentId: 'none' },
    ],
    [cast.provider, `/api/private-notes/${cast.appointmentId}`, { text: privately }],
    [cast.otherProvider, `/api/private-notes/${notes.private}`, { text: privately }],
    [cast.client, `/api/private-notes/${notes.private}`, { text: privately }],
  ] as const) {
    const answer = await visitor.send('POST', path, { body });
    problemIn(answer);
    expect(answer.text).not.toMatch(either);
  }
  // Makes saving a note fail.
  await sql`alter table private_notes add constraint broken check (text = '') not valid`.execute(db);
  const broken = await cast.provider.send('POST', `/api/clients/${cast.clientId}/private-notes`, {
    body: { text: privately },
  });
  await sql`alter table private_notes drop constraint broken`.execute(db);
  expect(broken.status).toBe(500);
  expect(broken.text).not.toMatch(either);
  expect(server.log.join('\n')).toContain('a request failed');
  expect(server.log.filter((line) => either.test(line))).toEqual([]);
});

test('exposes no text in a full dump without the keys', async () => {
  await runJobs({ all: true });
  const { rows: tables } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables
     where schemaname in ('public', 'jobs') order by 1`.execute(db);
  expect(tables.length).toBeGreaterThan(40);
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t`.execute(
      db,
    );
    const dump = rows.map(({ row }) => row).join('\n');
    expect(dump, name).not.toMatch(either);
    // Checks common byte encodings too.
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(dump, name).not.toContain(Buffer.from(privately).toString(encoding).replaceAll('=', ''));
  }
});
