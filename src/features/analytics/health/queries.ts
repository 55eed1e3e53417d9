import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import { lastCheck } from '#/features/audit/chain/queries.ts';
import { backupsStatus } from '#/features/backups/queries.ts';
import { countUndelivered } from '#/features/notifications/undelivered/queries.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { isGuarded } from '#/platform/db/grants.ts';
import { failuresSince } from '#/platform/http/failures.ts';
import type { Scheduler, ScheduleState } from '#/platform/jobs/scheduler.ts';
import { lastFailure, queueState } from '#/platform/jobs/state.ts';
import { deliveryQueue, countWaitingMails } from '#/platform/mail/mail.ts';
import type { HealthView } from '../contract.ts';
import { judged, mailPatience, type Measures } from './rules.ts';

export interface HealthConfig {
  dataDir: string;
  sendsMail: boolean;
  schedules: Scheduler['states'];
}

export async function healthOf(ctx: Ctx, config: HealthConfig): Promise<HealthView> {
  const now = ctx.now();
  // Alone: other checks would slow it down.
  const database = await databaseAnswer(ctx);
  const [queue, mail, disk, backups, check, guarded, lastHour] = await Promise.all([
    queueState(ctx.db, now),
    mailState(ctx, config),
    diskState(ctx, config),
    backupsStatus(ctx),
    lastCheck(ctx),
    isGuarded(ctx.db),
    failuresSince(ctx.db, now.subtract({ hours: 1 })),
  ]);
  return {
    checkedAt: isoOf(now.epochMilliseconds),
    ...judged({
      database,
      queue: { oldestSeconds: secondsSince(queue.dueSince, now), failed: queue.failed },
      mail,
      disk,
      backups,
      audit: {
        checkedAt: check && isoOf(check.at),
        entries: check?.entries ?? 0,
        broken: Boolean(check?.broken),
        guarded,
      },
      schedules: { tasks: config.schedules().map(taskOf) },
      errors: { lastHour },
    }),
  };
}

function taskOf({
  name,
  every,
  startedAt,
  endedAt,
  milliseconds,
  failing,
  failedAt,
}: ScheduleState): HealthView['schedules']['tasks'][number] {
  return {
    name,
    everySeconds: every.total('seconds'),
    startedAt: startedAt.toString(),
    endedAt: endedAt?.toString() ?? null,
    milliseconds,
    failing,
    failedAt: failedAt?.toString() ?? null,
  };
}

async function databaseAnswer(ctx: Ctx): Promise<Measures['database']> {
  const began = performance.now();
  await sql`select 1`.execute(ctx.db);
  return { milliseconds: Math.round(performance.now() - began) };
}

async function mailState(ctx: Ctx, { sendsMail: sends }: HealthConfig): Promise<Measures['mail']> {
  if (!sends) return { sends, unsent: 0, oldestSeconds: null, undelivered: 0, lastFailureAt: null };
  const now = ctx.now();
  const [waiting, undelivered, failedAt] = await Promise.all([
    countWaitingMails(ctx, mailPatience),
    countUndelivered(ctx),
    lastFailure(ctx.db, deliveryQueue, now),
  ]);
  return {
    sends,
    unsent: waiting.count,
    oldestSeconds: secondsSince(waiting.since, now),
    undelivered,
    lastFailureAt: failedAt && isoOf(failedAt),
  };
}

async function diskState(ctx: Ctx, { dataDir }: HealthConfig): Promise<Measures['disk']> {
  const [{ bsize, bavail, blocks }, writable] = await Promise.all([statfs(dataDir), ctx.files.ready()]);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, writable };
}

function secondsSince(moment: Date | null, now: Temporal.Instant): number | null {
  return moment && Math.max(0, Math.round((now.epochMilliseconds - moment.getTime()) / 1_000));
}
