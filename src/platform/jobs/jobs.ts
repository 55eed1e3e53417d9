import { PgBoss } from 'pg-boss';
import type { Ctx } from '../context.ts';
import type { Log } from '../log.ts';
import type { EventJob, Reaction } from './reactions.ts';

const schema = 'jobs';

/** Opens the queues: two connections and one that listens. `start` it before use, `stop` it at the end. */
export function openJobs(url: string, log: Log): PgBoss {
  const boss = new PgBoss({
    connectionString: url,
    schema,
    max: 2,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
    openTelemetry: { enabled: false },
  });
  boss.on('error', (error) => log.error({ err: error }, 'jobs'));
  return boss;
}

/** Installs or upgrades the queues' schema and makes one queue per reaction. */
export async function installJobs(url: string, queues: readonly string[]): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema, max: 2, supervise: false, schedule: false });
  await boss.start();
  try {
    for (const name of queues) {
      if (await boss.getQueue(name)) continue;
      await boss.createQueue(name, { notify: true, retryLimit: 8, retryDelay: 2, retryBackoff: true });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Lets every reaction work off its queue, as a job that carries the request id of what caused it. */
export async function workOff(
  boss: PgBoss,
  reactions: readonly Reaction[],
  contextOf: (job: { name: string; requestId: string }) => Ctx,
  log: Log,
): Promise<void> {
  for (const { name, handle } of reactions) {
    await boss.work<EventJob>(name, { pollingIntervalSeconds: 2 }, async (jobs) => {
      for (const { data } of jobs) {
        await handle(contextOf({ name, requestId: data.requestId }), data.payload, data).catch((error: unknown) => {
          log.error({ err: error, job: name, requestId: data.requestId }, 'job failed; it will be tried again');
          throw error;
        });
      }
    });
  }
}
