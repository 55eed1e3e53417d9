import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sealedColumns } from '#/app/rekey.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { systemNow } from '#/platform/clock.ts';
import { entriesOf } from './support/archive.ts';
import { castOf, testServer, type Visitor } from './support/server.ts';
import { openedBackup, wholeDatabase } from './support/stored.ts';

const server = await testServer();
const { database } = server;
const { db, as } = database;

const words = /juniperwords|willowwords/i;
/** Of a goal, which the server's keys open. */
const control = 'Maplewords';

async function post(by: Visitor, path: string, body: object): Promise<string> {
  const { status, text } = await by.send('POST', `/api${path}`, { body });
  expect(status, text).toBeLessThan(300);
  return text;
}

async function openedColumns(): Promise<string> {
  const rings = as({ kind: 'system' });
  const lines: string[] = [];
  for (const { table, column, ring, open } of sealedColumns) {
    const { rows } = await sql<{ id: string; text: string }>`
      select id, ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      db,
    );
    lines.push(...rows.map(({ id, text }) => `${table}.${column} ${open(rings[ring], id, text)}`));
  }
  return lines.join('\n');
}

async function openedFiles(): Promise<string> {
  const ctx = as({ kind: 'system' });
  const texts: string[] = [];
  for (const { id } of await db.selectFrom('files').select('id').execute()) {
    const bytes = Buffer.from(await new Response(await ctx.files.read(ctx, id)).arrayBuffer());
    texts.push(bytes.toString('latin1'));
    if (bytes.subarray(0, 2).toString() === 'PK')
      texts.push(...[...(await entriesOf(bytes))].map(([name, inside]) => `${name} ${inside.toString()}`));
  }
  return texts.join('\n');
}

async function bytesOnDisk(): Promise<string> {
  const entries = await readdir(database.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join(
    '\n',
  );
}

const newId = () => as({ kind: 'system' }).newId();
const entry = () => ({
  entryId: newId(),
  title: 'Juniperwords',
  text: 'Willowwords by the lake',
  mood: 4,
  date: '2026-03-02',
});

test('nothing stored or logged yields a word, with every key of the server', async () => {
  const { client, provider, clientId } = await castOf(server);
  for (const author of [client, provider]) {
    await post(author, '/me/words/unlock', { password: demoPassword });
    await post(author, '/journal', entry());
  }
  await post(provider, `/clients/${clientId}/private-notes`, { text: 'Juniperwords about fear' });
  await post(client, '/goals', {
    goalId: newId(),
    title: control,
    why: 'To be well',
    dueOn: '2026-05-01',
    steps: [],
  });
  await post(client, '/me/reauthentication', { password: demoPassword });
  await post(client, '/me/exports', {});
  database.setNow(systemNow().toString());
  await database.runJobs();
  await sql`alter table journal_entries add constraint broken check (text = '') not valid`.execute(db);
  const broken = await client.send('POST', '/api/journal', { body: entry() });
  expect(broken.status).toBe(500);
  await sql`alter table journal_entries drop constraint broken`.execute(db);

  const [columns, files] = [await openedColumns(), await openedFiles()];
  const backup = await openedBackup(database);
  const log = server.log.join('\n');
  for (const opened of [columns, files]) expect(opened).toContain(control);
  expect(columns).toContain('journal_entries.text ');
  expect(columns).toContain('private_notes.text ');
  expect(backup).toContain('journal_entries');
  expect(log).toContain('a request failed');
  for (const stored of [columns, files, backup, log, await wholeDatabase(database), await bytesOnDisk()])
    expect(stored).not.toMatch(words);

  expect((await client.send('GET', '/api/journal')).text).toContain('Willowwords by the lake');
  const notes = await provider.send('GET', `/api/clients/${clientId}/private-notes`);
  expect(notes.text).toContain('Juniperwords about fear');
});
