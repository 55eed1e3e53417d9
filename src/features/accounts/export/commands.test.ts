import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { openDisk, type Disk } from '#/platform/files/disk.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import { openFiles } from '#/platform/files/storage.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { entriesOf } from '../../../../tests/support/archive.ts';
import { pdf } from '../../../../tests/support/bytes.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient as addClientOf, freshSession, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import {
  exportDownload,
  openExport,
  ownExport,
  ownExports,
  removeExport,
  requestExport,
  runExport,
  tidyExports,
} from './commands.ts';

const { db, as, setNow, runJobs, folder, readMails } = await testDatabase();
const noon = '2026-03-02T12:00:00Z';

const addClient = async (on: typeof db) => freshSession(on, await addClientOf(on));

/** End of central directory (APPNOTE 6.3.10, section 4.3.16), written last. */
const endOfArchive = Buffer.from('PK\u0005\u0006', 'latin1');

async function bytesOf(person: Person): Promise<Buffer> {
  const [archive] = await ownExports(as(person));
  const { bytes } = await exportDownload.make(
    as(person),
    new URL(archive!.download!, 'https://x.test').searchParams,
  );
  return Buffer.from(await new Response(bytes).arrayBuffer());
}

async function noted({ id }: Person): Promise<string[]> {
  const rows = db.selectFrom('audit_entries').select('action').where('subject_id', '=', id).orderBy('id');
  return (await rows.execute()).map(({ action }) => action);
}

const jobOf = () => as({ kind: 'job', name: 'personal.export' });

test('prepares an archive in a job, offers it for a day, then deletes it', async () => {
  setNow(noon);
  const person = await addClient(db);
  const asked = await requestExport(as(person));
  expect(asked).toMatchObject({ state: 'waiting', progress: 0, download: null });
  await runJobs();
  const [ready] = await ownExports(as(person));
  expect(ready).toMatchObject({
    id: asked.id,
    state: 'ready',
    progress: 100,
    expiresAt: '2026-03-03T12:00:00.000Z',
  });
  expect((await bytesOf(person)).includes(endOfArchive)).toBe(true);
  const mails = await readMails((rows) => rows.where('recipient', '=', `${person.id}@people.example`));
  expect(mails.map(({ subject }) => subject)).toEqual(['Your iTalk Health data is ready']);
  expect(mails[0]!.text_body).not.toContain('export.zip');

  setNow('2026-03-03T11:59:00Z');
  await tidyExports(jobOf());
  expect((await ownExports(as(person)))[0]!.state).toBe('ready');
  setNow('2026-03-03T12:00:00Z');
  expect(await ownExport(as(person), asked.id)).toMatchObject({ state: 'expired', download: null });
  await tidyExports(jobOf());
  await runJobs();
  expect(await db.selectFrom('files').select('id').where('owner_id', '=', person.id).execute()).toEqual([]);
  expect(await noted(person)).toEqual(['export_requested', 'export_ready', 'export_expired']);
  expect(await ownExport(as(person), asked.id)).toMatchObject({ state: 'expired', download: null });
});

test('merges concurrent requests, and allows five archives a day', { tags: ['long'] }, async () => {
  setNow(noon);
  const person = await addClient(db);
  const both = await Promise.all([requestExport(as(person)), requestExport(as(person))]);
  expect(both[0].id).toBe(both[1].id);
  expect((await requestExport(as(person))).id).toBe(both[0].id);
  for (let count = 1; count < 5; count++) {
    await runJobs();
    await requestExport(as(person));
  }
  await runJobs();
  const refusal = await refusalOf(requestExport(as(person)));
  expect([refusal.code, refusal.reason]).toEqual(['rate_limited', 'too_many_exports']);
  setNow('2026-03-03T12:00:01Z');
  expect((await requestExport(as(person))).state).toBe('waiting');
});

test('seals an archive on disk, readable only for its owner', async () => {
  setNow(noon);
  const [owner, other] = [await addClient(db), await addClient(db)];
  const { id } = await requestExport(as(owner));
  await runJobs();
  const { file_id } = await db
    .selectFrom('exports')
    .where('id', '=', id)
    .select('file_id')
    .executeTakeFirstOrThrow();
  const { version } = await as(owner).files.info(as(owner), file_id!);
  const stored = readFileSync(join(folder, 'objects', version.slice(-2), version));
  expect(stored.includes('index.html')).toBe(false);
  expect((await bytesOf(owner)).includes('index.html')).toBe(true);
  const query = new URLSearchParams({ id });
  for (const [asker, asked] of [
    [as(other), query],
    [as(owner), new URLSearchParams({ id: other.id })],
    [as(owner), new URLSearchParams({ id: 'x' })],
  ] as const) {
    const refusal = await refusalOf(exportDownload.make(asker, asked));
    expect([refusal.code, refusal.reason]).toEqual(['not_found', 'export']);
  }
  setNow('2026-03-03T12:00:00Z');
  expect((await refusalOf(exportDownload.make(as(owner), query))).code).toBe('not_found');
});

test('returns not found for another person’s export', async () => {
  setNow(noon);
  const [owner, other] = [await addClient(db), await addClient(db)];
  const { id } = await requestExport(as(owner));
  await runJobs();
  for (const [asker, exportId] of [
    [other, id],
    [owner, other.id],
  ] as const) {
    const refusal = await refusalOf(ownExport(as(asker), exportId));
    expect([refusal.code, refusal.reason]).toEqual(['not_found', 'export']);
  }
  expect(await ownExports(as(other))).toEqual([]);
});

test('shows rising progress on the person’s own screens', async () => {
  setNow(noon);
  const person = await addClient(db);
  const { id } = await requestExport(as(person));
  const seen: number[] = [];
  const look: PersonalPart = {
    name: 'look',
    collect: async () => {
      seen.push((await ownExport(as(person), id)).progress);
      return { tables: {} };
    },
    erase: () => Promise.resolve(),
  };
  await runExport(jobOf(), id, [look, look, look]);
  expect(seen).toEqual([0, 24, 48]);
  expect((await ownExport(as(person), id)).progress).toBe(100);
});

test('restarts a killed run, and allows a new request after a failure', async () => {
  setNow(noon);
  const person = await addClient(db);
  const { id } = await requestExport(as(person));
  let broken = true;
  const part: PersonalPart = {
    name: 'part',
    collect: () =>
      broken ? Promise.reject(new Error('broken')) : Promise.resolve({ tables: { rows: [{ a: 1 }] } }),
    erase: () => Promise.resolve(),
  };
  // Simulates a killed process: state `running` with no worker.
  await db.updateTable('exports').set({ state: 'running', progress: 40 }).where('id', '=', id).execute();
  await expect(runExport(jobOf(), id, [part])).rejects.toThrow('broken');
  expect(await ownExport(as(person), id)).toMatchObject({ state: 'failed', download: null });
  broken = false;
  await runExport(jobOf(), id, [part]);
  expect((await ownExport(as(person), id)).state).toBe('failed');

  const again = await requestExport(as(person));
  expect(again.id).not.toBe(id);
  await db
    .updateTable('exports')
    .set({ state: 'running', progress: 40 })
    .where('id', '=', again.id)
    .execute();
  await runExport(jobOf(), again.id, [part]);
  expect((await ownExport(as(person), again.id)).state).toBe('ready');
  await runExport(jobOf(), again.id, [part]);
  const files = await db.selectFrom('files').select('id').where('owner_id', '=', person.id).execute();
  expect(files).toHaveLength(1);
});

test('names files that were removed or are missing among the omissions', async () => {
  setNow(noon);
  const person = await addClient(db);
  const { id } = await requestExport(as(person));
  const bytes = pdf(200_000);
  const files: StoredFile[] = [];
  for (const name of ['first.pdf', 'removed.pdf', 'lost.pdf', 'last.pdf']) {
    files.push(
      await as(person).files.upload(as(person), {
        bucket: 'documents',
        ownerId: person.id,
        name,
        body: bytes,
      }),
    );
  }
  const parts: PersonalPart[] = [
    {
      name: 'files',
      collect: () => Promise.resolve({ tables: {}, files }),
      erase: () => Promise.resolve(),
    },
    {
      name: 'meanwhile',
      collect: async () => {
        await as(person).files.remove(as(person), [files[1]!.id]);
        const { version } = files[2]!;
        rmSync(join(folder, 'objects', version.slice(-2), version));
        return { tables: {} };
      },
      erase: () => Promise.resolve(),
    },
  ];
  await runExport(jobOf(), id, parts);
  expect((await ownExport(as(person), id)).state).toBe('ready');
  const archive = await entriesOf(await bytesOf(person));
  expect([...archive.keys()]).toEqual(['files/first.pdf', 'files/last.pdf', 'index.html', 'left-out.html']);
  for (const name of ['first', 'last']) expect(archive.get(`files/${name}.pdf`)!.equals(bytes)).toBe(true);
  const [index, leftOut] = ['index.html', 'left-out.html'].map((name) => archive.get(name)!.toString());
  expect(index).toContain('first.pdf');
  for (const name of ['removed.pdf', 'lost.pdf']) {
    expect(leftOut).toContain(`The file “${name}”`);
    expect(index).not.toContain(name);
  }
});

test('fails the export when storage doesn’t respond at all', async () => {
  setNow(noon);
  const person = await addClient(db);
  const { id } = await requestExport(as(person));
  const file = await as(person).files.upload(as(person), {
    bucket: 'documents',
    ownerId: person.id,
    name: 'letter.pdf',
    body: pdf(),
  });
  const disk: Disk = {
    ...openDisk(folder),
    read: () => Promise.reject(new Error('no answer')),
  };
  const job = { ...jobOf(), files: openFiles({ disk, secret: 'a secret for this storage' }) };
  const part: PersonalPart = {
    name: 'files',
    collect: () => Promise.resolve({ tables: {}, files: [file] }),
    erase: () => Promise.resolve(),
  };
  await expect(runExport(job, id, [part])).rejects.toThrow('can’t be read');
  expect((await ownExport(as(person), id)).state).toBe('failed');
});

test('keeps no archive for an export deleted while it runs', async () => {
  setNow(noon);
  const person = await addClient(db);
  const { id } = await requestExport(as(person));
  const part: PersonalPart = {
    name: 'part',
    collect: async () => {
      await transact(jobOf(), (tx) => tx.db.deleteFrom('exports').where('id', '=', id).execute());
      return { tables: {} };
    },
    erase: () => Promise.resolve(),
  };
  await expect(runExport(jobOf(), id, [part])).rejects.toThrow('no result');
  expect(await db.selectFrom('files').select('id').where('owner_id', '=', person.id).execute()).toEqual([]);
});

test('gives up after some hours on an export whose job was lost', async () => {
  setNow(noon);
  const person = await addClient(db);
  const { id } = await requestExport(as(person));
  setNow('2026-03-02T17:59:00Z');
  await tidyExports(jobOf());
  expect((await ownExport(as(person), id)).state).toBe('waiting');
  setNow('2026-03-02T18:01:00Z');
  await tidyExports(jobOf());
  expect((await ownExport(as(person), id)).state).toBe('failed');
  expect(await noted(person)).toEqual(['export_requested', 'export_failed']);
});

test('requires a fresh confirmation to request and download an archive', async () => {
  setNow(noon);
  const person = await addClient(db);
  const confirmed = (at: string | null) =>
    db
      .updateTable('sessions')
      .set({ reauthenticated_at: at === null ? null : new Date(at) })
      .where('id', '=', person.sessionId)
      .execute();
  const query = (id: string) => new URLSearchParams({ id });
  const refused = { code: 'precondition', reason: 'reauthentication_required' };
  await confirmed(null);
  expect(await refusalOf(requestExport(as(person)))).toMatchObject(refused);
  expect(await noted(person)).toEqual([]);
  await confirmed(noon);
  const { id } = await requestExport(as(person));
  await runJobs();
  expect((await bytesOf(person)).includes(endOfArchive)).toBe(true);
  expect(await openExport(as(person), id)).toMatchObject({ state: 'ready' });
  setNow('2026-03-02T12:05:00Z');
  const attempts = (who: Person) => [
    () => exportDownload.make(as(who), query(id)),
    () => openExport(as(who), id),
  ];
  for (const attempt of attempts(person)) expect(await refusalOf(attempt())).toMatchObject(refused);
  // Without permission, users get a refusal, not a sign-in prompt.
  const other = await addClientOf(db);
  for (const attempt of attempts(other))
    expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'export' });
});

test('deletes an archive only at its owner’s request, immediately', async () => {
  setNow(noon);
  const [person, other] = [await addClient(db), await addClient(db)];
  const { id } = await requestExport(as(person));
  expect(await refusalOf(removeExport(as(person), id))).toMatchObject({
    code: 'not_found',
    reason: 'export',
  });
  await runJobs();
  expect(await refusalOf(removeExport(as(other), id))).toMatchObject({ code: 'not_found', reason: 'export' });
  expect((await ownExports(as(person)))[0]!.state).toBe('ready');
  expect(await removeExport(as(person), id)).toMatchObject({ state: 'expired', download: null });
  expect(await refusalOf(removeExport(as(person), id))).toMatchObject({ code: 'not_found' });
  await runJobs();
  expect(await db.selectFrom('files').select('id').where('owner_id', '=', person.id).execute()).toEqual([]);
  expect(await noted(person)).toEqual(['export_requested', 'export_ready', 'export_removed']);
});
