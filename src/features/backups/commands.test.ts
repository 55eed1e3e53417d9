import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createApiToken } from '#/features/accounts/api-tokens/commands.ts';
import { opensLink } from '#/features/accounts/queries.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { makeFeed } from '#/features/appointments/feed/commands.ts';
import { openBackups, type Backups } from '#/platform/backup/backups.ts';
import { restoreBackup, type Restored } from '#/platform/backup/restore.ts';
import { newId } from '#/platform/clock.ts';
import { keysOf } from '#/platform/keyring.ts';
import { connect } from '#/platform/db/database.ts';
import type { Database } from '#/platform/context.ts';
import { migrate } from '#/platform/db/migrate.ts';
import { openDisk } from '#/platform/files/disk.ts';
import { openFiles } from '#/platform/files/storage.ts';
import { StartError } from '#/platform/start-error.ts';
import { bookInputFor } from '../../../tests/support/booking.ts';
import { contents } from '../../../tests/support/contents.ts';
import { addCrowd } from '../../../tests/support/crowd.ts';
import { authSecret, testDatabase } from '../../../tests/support/database.ts';
import { databaseUrl, onServer } from '../../../tests/support/global-setup.ts';
import {
  addAdministrator,
  addClient,
  addProvider,
  freshSession,
  sixtyMinutes,
  type Person,
} from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { removeBackup, requestBackup } from './commands.ts';
import { backUpNow, runBackups, missingKeys, noteRestored } from './runs/commands.ts';
import type { BackupView } from './contract.ts';
import { backupsOverview } from './queries.ts';

const start = '2026-02-16T12:00:00Z';
const database = await testDatabase({ now: start });
const { db, as, setNow, url, dataDir, folder, queues, runJobs } = database;
const job = as({ kind: 'job', name: 'backups' });
const newKey = () => randomBytes(32).toString('base64url');
const keys = keysOf(`b1:${newKey()}`);
const backupDir = join(dataDir, 'backups');
const serverUrl = inject('serverUrl');
const made: string[] = [];

const backupsWith = (more: Partial<Parameters<typeof openBackups>[0]> = {}): Backups =>
  openBackups({ url, disk: openDisk(folder), folder: backupDir, keys, ...more });

async function emptyDatabase(): Promise<string> {
  const name = `italk_${newId().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name} template template0`);
  made.push(name);
  return databaseUrl(serverUrl, name);
}

afterAll(async () => {
  await onServer(serverUrl, ...made.map((name) => `drop database ${name} with (force)`));
});

async function schema(of: Kysely<Database>): Promise<unknown> {
  const { rows } = await sql`
    select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as made from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass::text, tgname, tgenabled::text || pg_get_triggerdef(oid) from pg_trigger
      where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    order by 1, 2, 3`.execute(of);
  return rows;
}

const bytesOf = async (files: ReturnType<typeof openFiles>, id: string, ctx = job) =>
  Buffer.from(await new Response(await files.read(ctx, id)).arrayBuffer());

const pdf = (size: number) =>
  Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(size), Buffer.from('\n%%EOF\n')]);

function restoreTo(
  target: string,
  name: string,
  more: Partial<Parameters<typeof restoreBackup>[0]> = {},
): Promise<Restored> {
  return restoreBackup({
    url: target,
    path: join(backupDir, name),
    keys,
    disk: openDisk(join(dataDir, 'restored')),
    queues,
    say: () => undefined,
    ...more,
  });
}

async function refusedWords(name: string, more: Partial<Parameters<typeof restoreBackup>[0]> = {}) {
  const target = await emptyDatabase();
  const error: unknown = await restoreTo(target, name, more).catch((reason: unknown) => reason);
  const { db: there } = connect(target, 1);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'jobs')`.execute(there);
  await there.destroy();
  expect(rows[0]!.n).toBe(0);
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
}

const wish = (provider: Person, serviceId: string, startsAt: string) =>
  bookInputFor(provider.id, serviceId, startsAt);

describe('restoring a backup', () => {
  let client: Person;
  let provider: Person;
  let serviceId: string;
  let before: Record<string, string>;
  let taken: BackupView;
  let fileName: string;
  let target: string;
  let restored: Restored;
  let there: Kysely<Database>;
  const stored: { id: string; bytes: Buffer }[] = [];

  beforeAll(async () => {
    await addCrowd(db, { clients: 300, sessionsEach: 2, providers: 4 });
    serviceId = await sixtyMinutes(db);
    [client, provider] = [await addClient(db), await addProvider(db)];
    await book(as(client), wish(provider, serviceId, '2026-02-23T20:00:00Z'));
    for (const [bucket, size] of [
      ['documents', 400_000],
      ['documents', 10],
      ['attachments', 200_000],
    ] as const) {
      const bytes = pdf(size);
      const { id } = await job.files.upload(job, { bucket, ownerId: client.id, name: 'a.pdf', body: bytes });
      stored.push({ id, bytes });
    }
    const signedIn = await freshSession(db, client);
    await makeFeed(as(signedIn));
    await db
      .updateTable('feature_flags')
      .set({ enabled: true })
      .where('id', '=', 'mobile_app_access')
      .execute();
    await createApiToken(as(signedIn), { name: 'Desk', scopes: ['appointments:read'], days: 1 });
    before = await contents(db);
    taken = await backUpNow(as({ kind: 'system' }), backupsWith());
    fileName = taken.fileName!;
    target = await emptyDatabase();
    restored = await restoreTo(target, fileName);
    ({ db: there } = connect(target, 3));
    return () => there.destroy();
  });

  const restoredCtx = (actor: Parameters<typeof as>[0]) => ({
    ...as(actor),
    db: there,
    files: openFiles({ disk: openDisk(join(dataDir, 'restored')), secret: authSecret }),
  });

  test('restores every row of every table, including waiting jobs', async () => {
    expect(taken).toMatchObject({ state: 'done', origin: 'command', files: 3, missingFiles: 0 });
    const after = await contents(there);
    // Captured while the backup ran.
    const { backups: _own, outbox: _notices, ...rest } = before;
    const { backups: own, outbox: _latest, ...restAfter } = after;
    expect(restAfter).toEqual(rest);
    expect(own).toMatch(/^1 /);
    expect(Number(rest.appointments!.split(' ')[0])).toBe(601);
    expect(Number(rest.jobs!.split(' ')[0])).toBeGreaterThan(100);
    for (const [table, told] of restored.tables)
      expect([table, told.rows]).toEqual([table, Number(after[table]!.split(' ')[0])]);
    expect([...restored.tables.keys()].toSorted()).toEqual(Object.keys(after).toSorted());
  });

  test('restores the schema as migrated, and leaves nothing extra', async () => {
    expect(await schema(there)).toEqual(await schema(db));
    expect(await migrate(there)).toEqual([]);
  });

  test('restores file bytes, including sealed ones', async () => {
    for (const { id, bytes } of stored)
      expect((await bytesOf(restoredCtx(job.actor).files, id, restoredCtx(job.actor))).equals(bytes)).toBe(
        true,
      );
  });

  test('accepts new bookings, and rejects a time already taken', async () => {
    const booked = await book(restoredCtx(client), wish(provider, serviceId, '2026-02-23T22:00:00Z'));
    expect(booked.appointments).toHaveLength(1);
    const again = book(restoredCtx(client), wish(provider, serviceId, '2026-02-23T20:00:00Z'));
    expect(await refusalOf(again)).toMatchObject({ code: 'conflict' });
  });

  test('remembers the source backup, and continues from it', async () => {
    await noteRestored(restoredCtx({ kind: 'system' }), restored);
    const { backups } = await backupsOverview(restoredCtx(job.actor), backupDir);
    expect(backups).toMatchObject([{ state: 'done', fileName, files: 3 }]);
    const row = await there.selectFrom('backups').select(['checksum', 'bytes']).executeTakeFirstOrThrow();
    expect(row).toEqual(
      await db.selectFrom('backups').select(['checksum', 'bytes']).executeTakeFirstOrThrow(),
    );
  });

  test('ends sessions, tokens and links, since some may have been revoked after the backup', async () => {
    const left = async (from: Kysely<Database>) => {
      const { sessions, api_tokens, calendar_feeds } = await contents(from);
      return [sessions, api_tokens, calendar_feeds].map((summary) => Number(summary!.split(' ')[0]));
    };
    expect(await left(db)).toEqual([1, 1, 1]);
    await noteRestored(restoredCtx({ kind: 'system' }), restored);
    expect(await left(there)).toEqual([0, 0, 0]);
    const link = { personId: client.id, made: Temporal.Instant.from('2026-01-01T00:00:00Z') };
    expect(await opensLink(restoredCtx(client), link)).toBe(false);
  });

  test('checks whether the keys match the sealed data', () => {
    expect(missingKeys(job, restored.head.probes)).toEqual([]);
    expect(missingKeys({ ...job, keyring: job.privateNotes }, restored.head.probes)).toEqual([
      'ENCRYPTION_KEYS',
    ]);
  });

  test('is refused by a database that isn’t empty, without changes', async () => {
    const counted = await contents(there);
    await expect(restoreTo(target, fileName)).rejects.toThrow(/isn’t empty.*Nothing was changed/);
    expect(await contents(there)).toEqual(counted);
  });

  test('is refused with another key, with an explanation', async () => {
    const other = { keys: keysOf(`b2:${newKey()}`) };
    expect(await refusedWords(fileName, other)).toMatch(/key b1, which BACKUP_KEYS lacks/);
    const same = { keys: keysOf(`b1:${newKey()}`) };
    expect(await refusedWords(fileName, same)).toMatch(/b1 in BACKUP_KEYS isn’t the one that sealed/);
  });

  test('names the key file of an installation without BACKUP_KEYS', async () => {
    const elsewhere = join(dataDir, 'elsewhere');
    const own = backupsWith({ folder: elsewhere, keys: keysOf(`own:${newKey()}`) });
    const path = join(elsewhere, (await backUpNow(as({ kind: 'system' }), own)).fileName!);
    for (const others of [keys, keysOf(`own:${newKey()}`)])
      expect(await refusedWords('', { path, keys: others })).toMatch(
        /copy backup-key from the data folder there/,
      );
  });

  test.each([
    ['with a damaged byte', (b: Buffer) => ((b[b.length >> 1]! ^= 4), b), /is damaged or cut off/],
    ['that is cut off', (b: Buffer) => b.subarray(0, b.length - 65_552), /is damaged or cut off/],
    ['that is none', () => Buffer.from('-- a dump'), /isn’t a backup of iTalk/],
  ])('explains why a file %s is refused', async (_, change, words) => {
    writeFileSync(join(backupDir, 'changed'), change(readFileSync(join(backupDir, fileName))));
    expect(await refusedWords('changed')).toMatch(words);
    rmSync(join(backupDir, 'changed'));
  });

  test('explains that a file doesn’t exist', async () => {
    expect(await refusedWords('nowhere')).toMatch(/^There is no file .*nowhere/);
  });

  test(
    'leaves nothing half restored when file bytes are missing or damaged',
    { tags: ['long'] },
    async () => {
      const away = join(dataDir, 'away');
      cpSync(backupDir, away, { recursive: true });
      const [first] = readdirSync(join(away, 'files'), { recursive: true, withFileTypes: true }).filter(
        (one) => one.isFile(),
      );
      const bytesPath = join(first!.parentPath, first!.name);
      const disk = openDisk(join(dataDir, 'half'));
      const options = { path: join(away, fileName), disk };
      const bytes = readFileSync(bytesPath);
      writeFileSync(bytesPath, Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]));
      expect(await refusedWords(fileName, options)).toMatch(/is damaged or cut off/);
      const left = await Array.fromAsync(disk.list('objects')).catch(() => []);
      expect(left).toEqual([]);
      rmSync(bytesPath);
      expect(await refusedWords(fileName, options)).toMatch(/1 of this backup’s 3 files aren’t in/);
    },
  );

  test('is refused for a newer version, with an explanation', async () => {
    await db
      .insertInto('kysely_migration' as never)
      .values({ name: '9999_later', timestamp: '' })
      .execute();
    const later = await backUpNow(as({ kind: 'system' }), backupsWith());
    await db
      .deleteFrom('kysely_migration' as never)
      .where('name' as never, '=', '9999_later' as never)
      .execute();
    expect(await refusedWords(later.fileName!)).toMatch(
      /migrations that this version doesn’t have: 9999_later/,
    );
  });
});

describe('a backup', () => {
  const chief = () => addAdministrator(db);
  const last = async () => (await backupsOverview(job, backupDir)).backups[0]!;
  const audited = async (id: string) =>
    (
      await db
        .selectFrom('audit_entries')
        .select('action')
        .where('subject_id', '=', id)
        .orderBy('at')
        .orderBy('id')
        .execute()
    ).map(({ action }) => action);
  let minutes = 0;
  const pass = (more: number) => {
    minutes += more * 60;
    setNow(Temporal.Instant.from(start).add({ minutes }).toString());
  };

  test('is one snapshot, despite concurrent writes', { tags: ['long'] }, async () => {
    const files = openDisk(folder);
    const backups = backupsWith();
    const over = new AbortController();
    const writing = (async () => {
      // Both inserts or neither.
      while (!over.signal.aborted) await db.transaction().execute((tx) => addClient(tx));
    })();
    await backUpNow(as({ kind: 'system' }), backups).finally(() => over.abort());
    await writing;
    const target = await emptyDatabase();
    await restoreTo(target, (await last()).fileName!, { disk: files });
    const { db: there } = connect(target, 1);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from users full join profiles using (id) where email is null or role is null`.execute(
      there,
    );
    await there.destroy();
    expect(rows[0]!.n).toBe(0);
  });

  test('is due by the setting, can be requested by administrators, is audited, and runs alone', async () => {
    pass(1);
    await runBackups(job, backupsWith());
    const [before] = (await backupsOverview(job, backupDir)).backups;
    expect(before!.origin).toBe('command');

    pass(25);
    await runBackups(job, backupsWith());
    const due = await last();
    expect(due).toMatchObject({ origin: 'schedule', state: 'done', by: null });
    expect(await audited(due.id)).toEqual(['backup.done']);
    expect((await backupsOverview(job, backupDir)).dueAt).toBe(
      Temporal.Instant.from(due.startedAt!).add({ hours: 24 }).toString(),
    );

    pass(1);
    const admin = await chief();
    const asked = await requestBackup(as(admin));
    expect(asked).toMatchObject({
      state: 'waiting',
      origin: 'person',
    });
    expect(await refusalOf(requestBackup(as(admin)))).toMatchObject({ reason: 'backup_under_way' });
    expect(await refusalOf(requestBackup(as(await addClient(db))))).toMatchObject({ code: 'forbidden' });
    await Promise.all([1, 2, 3].map(() => runBackups(job, backupsWith())));
    expect(await last()).toMatchObject({ id: asked.id, state: 'done' });
    expect(await audited(asked.id)).toEqual(['backup.requested', 'backup.done']);

    const { bytes, checksum, file_name } = await db
      .selectFrom('backups')
      .select(['bytes', 'checksum', 'file_name'])
      .where('id', '=', asked.id)
      .executeTakeFirstOrThrow();
    expect(statSync(join(backupDir, file_name!))).toMatchObject({ size: bytes, mode: 0o100600 });
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  test('explains a failure, retries later, and leaves no partial file', async () => {
    pass(25);
    const locked = join(dataDir, 'locked');
    writeFileSync(locked, '');
    await expect(runBackups(job, backupsWith({ folder: locked }))).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await last()).toMatchObject({ state: 'failed', reason: 'folder', fileName: null });
    expect(await audited((await last()).id)).toEqual(['backup.failed']);
    const { failures } = await backupsOverview(job, backupDir);
    expect(failures).toBe(1);
    const failed = await last();
    pass(0.1);
    await runBackups(job, backupsWith());
    expect((await last()).id).toBe(failed.id);
    pass(0.2);
    await runBackups(job, backupsWith());
    expect(await last()).toMatchObject({ state: 'done', origin: 'schedule' });
    expect(await backupsOverview(job, backupDir)).toMatchObject({ failures: 0 });
  });

  test('is marked as stopped when interrupted, and the next one runs', async () => {
    pass(25);
    const stopping = new AbortController();
    stopping.abort();
    await expect(runBackups(job, backupsWith(), stopping.signal)).rejects.toThrow('aborted');
    expect(await last()).toMatchObject({ state: 'failed', reason: 'stopped' });
    expect(readdirSync(backupDir).filter((name) => name.endsWith('.part'))).toEqual([]);

    pass(1);
    const id = newId();
    const at = new Date(job.now().epochMilliseconds);
    await db
      .insertInto('backups')
      .values({ id, requested_at: at, origin: 'schedule', state: 'running', started_at: at })
      .execute();
    writeFileSync(join(backupDir, 'italk-left.backup.part'), 'half');
    pass(1);
    // The terminated connection may briefly keep its lock.
    await expect
      .poll(async () => {
        await runBackups(job, backupsWith());
        return last();
      })
      .toMatchObject({ id, state: 'failed', reason: 'interrupted' });
    pass(1);
    await runBackups(job, backupsWith());
    expect(await last()).toMatchObject({ state: 'done' });
    expect(readdirSync(backupDir).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('protects the files it names from deletion until they are copied', async () => {
    const bytes = pdf(1_000);
    const { id } = await job.files.upload(job, {
      bucket: 'documents',
      ownerId: null,
      name: 'b.pdf',
      body: bytes,
    });
    const { object } = await db
      .selectFrom('files')
      .select('object')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const real = openDisk(folder);
    let removed = false;
    const backups = backupsWith({
      disk: {
        ...real,
        read: async (key, range) => {
          if (!removed) {
            removed = true;
            await job.files.remove(job, [id]);
            await runJobs();
          }
          return real.read(key, range);
        },
      },
    });
    const taken = await backUpNow(as({ kind: 'system' }), backups);
    expect([removed, taken.missingFiles]).toEqual([true, 0]);
    expect(await real.read(`objects/${object.slice(-2)}/${object}`)).not.toBeNull();
    await job.files.deleteRemoved(job);
    expect(await real.read(`objects/${object.slice(-2)}/${object}`)).toBeNull();
  });

  test('fails when file bytes are missing, keeps the rest, and stores each file once', async () => {
    const { id } = await job.files.upload(job, {
      bucket: 'documents',
      ownerId: null,
      name: 'c.pdf',
      body: pdf(100),
    });
    const { object } = await db
      .selectFrom('files')
      .select('object')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await openDisk(folder).delete(`objects/${object.slice(-2)}/${object}`);
    const inodes = () =>
      Object.fromEntries(
        readdirSync(join(backupDir, 'files'), { recursive: true, withFileTypes: true })
          .filter((one) => one.isFile())
          .map((one) => [one.name, statSync(join(one.parentPath, one.name)).ino]),
      );
    const before = inodes();
    pass(0.1);
    expect(await backUpNow(as({ kind: 'system' }), backupsWith())).toMatchObject({
      state: 'failed',
      reason: 'incomplete',
      files: 3,
      missingFiles: 1,
      fileName: expect.stringMatching(/\.backup$/) as string,
    });
    expect(await audited((await last()).id)).toEqual(['backup.failed']);
    expect(await backupsOverview(job, backupDir)).toMatchObject({ failures: 1 });
    expect(inodes()).toEqual(before);
    await job.files.remove(job, [id]);

    // A new first key reseals everything, so the old key can be dropped.
    const newer = new Map([...keysOf(`b2:${newKey()}`), ...keys]);
    await backUpNow(as({ kind: 'system' }), backupsWith({ keys: newer }));
    const after = inodes();
    const { rows } = await sql<{ object: string }>`select object from files`.execute(db);
    for (const { object: one } of rows) expect(after[one]).not.toBe(before[one]);
  });

  test('keeps a requested one beside another of its hour, until deleted', { tags: ['long'] }, async () => {
    const names = () => readdirSync(backupDir).filter((name) => name.endsWith('.backup'));
    const admin = await chief();
    const taken: string[] = [];
    pass(1);
    for (let one = 0; one < 3; one++) {
      pass(0.1);
      const { id } = await requestBackup(as(admin));
      await runBackups(job, backupsWith());
      taken.push(id);
    }
    pass(24 * 400);
    await runBackups(job, backupsWith());
    const views = (await backupsOverview(job, backupDir)).backups;
    const files = taken.map((id) => views.find((one) => one.id === id)!);
    expect(files).toMatchObject(taken.map(() => ({ state: 'done', kept: true, removed: false })));
    expect(names()).toEqual(expect.arrayContaining(files.map(({ fileName }) => fileName)));

    const scheduled = views.find(({ origin }) => origin === 'schedule')!;
    expect(await refusalOf(removeBackup(as(admin), scheduled.id))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(removeBackup(as(await addClient(db)), taken[0]!))).toMatchObject({
      code: 'forbidden',
    });
    const twice = await Promise.allSettled([1, 2].map(() => removeBackup(as(admin), taken[0]!)));
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await audited(taken[0]!)).filter((action) => action === 'backup.removed')).toHaveLength(1);
    await runBackups(job, backupsWith());
    expect(names()).not.toContain(files[0]!.fileName);
    expect(names()).toEqual(expect.arrayContaining([files[1]!.fileName, files[2]!.fileName]));
    expect((await last()).id).toBe(scheduled.id);
    await restoreTo(await emptyDatabase(), files[1]!.fileName!, { disk: openDisk(join(dataDir, 'kept')) });
  });

  test('deletes old backups, and files that only they needed', { tags: ['long'] }, async () => {
    const names = () => readdirSync(backupDir).filter((name) => name.endsWith('.backup'));
    const { id } = await job.files.upload(job, {
      bucket: 'documents',
      ownerId: null,
      name: 'd.pdf',
      body: pdf(100),
    });
    const { object } = await db
      .selectFrom('files')
      .select('object')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    // Requested backups are only deleted manually.
    const admin = as(await chief());
    for (const { id: one, kept } of (await backupsOverview(job, backupDir)).backups)
      if (kept) await removeBackup(admin, one);
    for (let day = 0; day < 3; day++) {
      pass(25);
      await runBackups(job, backupsWith());
    }
    const path = join(backupDir, 'files', object.slice(-2), object);
    expect(statSync(path).isFile()).toBe(true);
    await job.files.remove(job, [id]);
    const many = names();
    pass(24 * 500);
    await runBackups(job, backupsWith());
    expect(many.length).toBeGreaterThan(3);
    expect(names()).toEqual([(await last()).fileName]);
    const noted = db.selectFrom('audit_entries').select(['actor_kind', 'details']).orderBy('id', 'desc');
    expect(await noted.where('action', '=', 'backup.removed').executeTakeFirst()).toEqual({
      actor_kind: 'job',
      details: { backups: many.length },
    });
    expect(() => statSync(path)).toThrow(/ENOENT/);
    const { backups } = await backupsOverview(job, backupDir);
    expect(backups.filter((one) => one.state === 'done' && !one.removed)).toHaveLength(1);
  });

  test('fails with an explanation when its folder can’t be created', async () => {
    const file = join(backupDir, 'no-folder');
    writeFileSync(file, '');
    await expect(
      backUpNow(as({ kind: 'system' }), backupsWith({ folder: join(file, 'backups') })),
    ).rejects.toThrow(/ENOTDIR/);
    expect(await last()).toMatchObject({ state: 'failed' });
    rmSync(file);
  });
});
