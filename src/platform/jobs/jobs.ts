import { PgBoss, type Job, type JobResult } from 'pg-boss';
import type { Ctx } from '../context.ts';
import type { Log } from '../log.ts';
import type { ListenConnection } from '../realtime/listen-connection.ts';
import { jobsChannel, type EventJob, type HandledJob, type Reaction } from './reactions.ts';

const schema = 'jobs';
const beatSeconds = 15;
/** For delayed jobs and retries; notices announce others. */
const pollingIntervalSeconds = 30;

/**
 * Retries failed jobs for about three hours with backoff. Jobs of a killed process miss their heartbeat and restart
 * within half a minute.
 */
const queue = {
  // Workers learn of new jobs through the outbox.
  notify: false,
  retryLimit: 24,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  heartbeatSeconds: beatSeconds,
  expireInSeconds: 300,
} as const;

/** Opens the job queues, using two connections. Call `start` before use and `stop` at the end. */
export function openJobs(url: string, log: Log): PgBoss {
  const boss = new PgBoss({
    connectionString: url,
    schema,
    max: 2,
    migrate: false,
    createSchema: false,
    superviseIntervalSeconds: beatSeconds,
    monitorIntervalSeconds: beatSeconds,
    openTelemetry: { enabled: false },
  });
  boss.on('error', (error) => log.error({ err: error }, 'jobs'));
  return boss;
}

export async function installJobs(url: string, queues: readonly string[]): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema, max: 2, supervise: false, schedule: false });
  // Keeps a broken idle connection from crashing the process; later calls report failures themselves.
  boss.on('error', () => undefined);
  await boss.start();
  try {
    const made = new Map((await boss.getQueues()).map((one) => [one.name, one]));
    for (const name of queues) {
      if (!made.has(name)) await boss.createQueue(name, queue);
      else if (made.get(name)!.notify) await boss.updateQueue(name, { notify: false });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

export async function hasQueues(boss: PgBoss, queues: readonly string[]): Promise<boolean> {
  const made = new Set((await boss.getQueues()).map(({ name }) => name));
  return queues.every((name) => made.has(name));
}

export async function startWorkers(
  boss: PgBoss,
  reactions: readonly Reaction[],
  contextOf: (job: { name: string; requestId: string }) => Ctx,
  log: Log,
  listener: Pick<ListenConnection, 'listen'>,
): Promise<void> {
  const workers = new Map<string, string>();
  for (const { name, handle, handleAll, atOnce = false } of reactions) {
    const options = {
      // More share one transaction.
      batchSize: handleAll ? 50 : 10,
      burstWhenBatchFull: true,
      perJobResults: true,
      pollingIntervalSeconds,
    } as const;
    const jobOf = ({ data }: Job<EventJob>): HandledJob => ({
      ctx: contextOf({ name, requestId: data.requestId }),
      payload: data.payload,
      meta: data,
    });
    const work = async (job: Job<EventJob>): Promise<JobResult> => {
      const { id, data } = job;
      try {
        const { ctx, payload, meta } = jobOf(job);
        await handle(ctx, payload, meta);
        return { id, status: 'completed' };
      } catch (error) {
        log.error(
          { err: error, job: name, requestId: data.requestId },
          'a job failed; it will be tried again',
        );
        return { id, status: 'failed' };
      }
    };
    const worker = await boss.work<EventJob, unknown, typeof options>(name, options, async (fetched) => {
      // Fetched in no order; ids of events are time-ordered.
      const jobs = fetched.toSorted((one, other) => (one.data.id < other.data.id ? -1 : 1));
      if (atOnce) return Promise.all(jobs.map(work));
      if (handleAll && jobs.length > 1) {
        const isDone = await handleAll(jobs.map(jobOf)).then(
          () => true,
          () => false,
        );
        if (isDone) return jobs.map(({ id }) => ({ id, status: 'completed' }));
      }
      const results: JobResult[] = [];
      for (const job of jobs) results.push(await work(job));
      return results;
    });
    workers.set(name, worker);
  }
  await listener.listen(jobsChannel, (told) => {
    // Without a name, notices may have been missed.
    for (const [name, worker] of workers) if (!told || name === told) boss.notifyWorker(worker);
  });
}
