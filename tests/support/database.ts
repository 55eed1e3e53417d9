import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Selectable, type SelectQueryBuilder } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, inject } from 'vitest';
import type { Actor } from '#/kernel/actor.ts';
import { features } from '#/app/features.ts';
import { reactions as allReactions, reactionsOf } from '#/app/reactions.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx, Database } from '#/platform/context.ts';
import { openKeyring } from '#/platform/keyring.ts';
import { connect } from '#/platform/db/database.ts';
import type { ReactionParts } from '#/platform/feature.ts';
import { openDisk, type Disk } from '#/platform/files/disk.ts';
import { openFiles } from '#/platform/files/storage.ts';
import { emitter, type EventJob } from '#/platform/jobs/reactions.ts';
import { contentOf } from '#/platform/mail/sealing.ts';
import type { MailAttachment, MailsTable } from '#/platform/mail/tables.ts';
import { databaseUrl, onServer } from './global-setup.ts';

/** A test file's own database, cloned from the migrated template, with a settable clock. */
export interface TestDatabase {
  url: string;
  db: Ctx['db'];
  dataDir: string;
  folder: string;
  keys: Readonly<Record<'ENCRYPTION_KEYS' | 'PRIVATE_NOTES_KEYS', string>>;
  queues: readonly string[];
  /** Sets the time `now()` returns, in ISO 8601. */
  setNow(iso: string): void;
  as(actor: Actor): Ctx;
  /** Runs every job due by the system clock; `all` includes jobs scheduled for later. */
  runJobs(options?: { all?: boolean }): Promise<number>;
  readMails(narrowed?: (rows: MailRows) => MailRows): Promise<ReadMail[]>;
}

type MailRows = SelectQueryBuilder<Database, 'mails', Selectable<MailsTable>>;

type ReadMail = Omit<Selectable<MailsTable>, 'attachments' | keyof typeof sealedMailColumns> & {
  attachments: readonly MailAttachment[];
};

const sealedMailColumns = {
  sealed_subject: true,
  sealed_text: true,
  sealed_html: true,
  sealed_attachments: true,
  sealed_unsubscribe_url: true,
} as const;

/** A site without a mail server or texts. */
export const silentParts: ReactionParts = { appUrl: 'https://italk.example', transport: null, sms: null };

export const authSecret = 'a secret for tests, long enough to be one';

/** Clones the template for the calling test file and drops the clone afterwards. */
export async function testDatabase(
  options: { now?: string; poolSize?: number; disk?: Disk } & Partial<ReactionParts> = {},
): Promise<TestDatabase> {
  const name = `italk_${newId().replaceAll('-', '')}`;
  const serverUrl = inject('serverUrl');
  // Copying files takes half the processor time of writing every page to the log, the default.
  await onServer(serverUrl, `create database ${name} template ${inject('template')} strategy file_copy`);
  const url = databaseUrl(serverUrl, name);
  const { db } = connect(url, options.poolSize ?? 5);
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    max: 1,
    migrate: false,
    supervise: false,
    schedule: false,
  });
  // Ignores connections cut when the database is dropped; failing queries still throw.
  boss.on('error', () => undefined);
  await boss.start();
  let now = Temporal.Instant.from(options.now ?? '2026-03-02T12:00:00Z');
  const reactions = reactionsOf({ ...silentParts, ...options });
  const emit = emitter(boss, reactions);
  const dataDir = await mkdtemp(join(tmpdir(), 'italk-data-'));
  const folder = join(dataDir, 'files');
  const files = openFiles({ disk: options.disk ?? openDisk(folder), secret: authSecret });
  const newKey = () => `test:${randomBytes(32).toString('base64url')}`;
  const keys = { ENCRYPTION_KEYS: newKey(), PRIVATE_NOTES_KEYS: newKey() };
  const keyring = openKeyring(keys.ENCRYPTION_KEYS);
  const privateNotes = openKeyring(keys.PRIVATE_NOTES_KEYS);
  const as = (actor: Actor): Ctx => ({
    db,
    actor,
    requestId: 'test',
    address: actor.kind === 'person' || actor.kind === 'guest' ? '127.0.0.1' : null,
    now: () => now,
    newId,
    emit,
    files,
    keyring,
    privateNotes,
    authored: features.flatMap(({ authored }) => authored),
  });
  afterAll(async () => {
    await boss.stop({ graceful: false });
    await db.destroy();
    await rm(dataDir, { recursive: true, force: true });
    await onServer(serverUrl, `drop database ${name} with (force)`);
  });
  return {
    url,
    db,
    dataDir,
    folder,
    keys,
    queues: allReactions.map((one) => one.name),
    as,
    setNow: (iso) => {
      now = Temporal.Instant.from(iso);
    },
    runJobs: async ({ all = false } = {}) => {
      let ran = 0;
      for (let more = true; more;) {
        more = false;
        const waiting = await queuesWithJobs(db, all);
        for (const { name: queue, handle } of reactions) {
          if (!waiting.has(queue)) continue;
          for (const { id, data } of await boss.fetch<EventJob>(queue, {
            batchSize: 100,
            ignoreStartAfter: all,
          })) {
            await handle(as({ kind: 'job', name: queue }), data.payload, data);
            await boss.complete(queue, id);
            ran++;
            more = true;
          }
        }
      }
      return ran;
    },
    readMails: async (narrowed = (rows) => rows) => {
      const rows = db.selectFrom('mails').selectAll().orderBy('created_at').orderBy('id');
      return (await narrowed(rows).execute()).map((row) => {
        const { subject, text, html, attachments, unsubscribeUrl } = contentOf({ keyring }, row);
        return {
          ...Object.fromEntries(Object.entries(row).filter(([column]) => !(column in sealedMailColumns))),
          subject,
          text_body: text,
          html_body: html,
          attachments,
          unsubscribe_url: unsubscribeUrl,
        } as ReadMail;
      });
    },
  };
}

async function queuesWithJobs(db: TestDatabase['db'], all: boolean): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from jobs.job
     where state < 'active' and (${all} or start_after <= now())`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
