/** Seeds demo data into the database at DATABASE_URL, or the embedded one while the program is stopped. */
import { seedDemo } from '#/app/demo.ts';
import { reactions } from '#/app/reactions.ts';
import { readConfig, type Config } from '#/platform/config.ts';
import { openClock } from '#/platform/db/clock.ts';
import { connect } from '#/platform/db/database.ts';
import { install } from '#/app/install.ts';
import { processContext } from '#/app/process-context.ts';
import { openJobs } from '#/platform/jobs/jobs.ts';
import { emitter } from '#/platform/jobs/reactions.ts';
import { openLog } from '#/platform/log.ts';
import { StartError } from '#/platform/start-error.ts';
import { runCommand } from './command.ts';
import { withWorkingDatabase } from './working-database.ts';

async function seed(config: Config, url: string): Promise<boolean> {
  const { db } = connect(url, 2);
  const jobs = openJobs(url, openLog(config.logLevel));
  try {
    await install(
      db,
      url,
      reactions.map(({ name }) => name),
    );
    await jobs.start();
    const emit = emitter(jobs, reactions);
    const { now } = await openClock(db);
    const base = processContext(config, { db, emit, now });
    return await seedDemo({
      ...base,
      actor: { kind: 'system' },
      requestId: base.newId(),
      address: null,
    });
  } finally {
    await jobs.stop({ graceful: false });
    await db.destroy();
  }
}

await runCommand(async () => {
  const config = readConfig(process.env);
  if (config.mode === 'production') {
    throw new StartError('Demo accounts have a published password, so they can’t be created in production.');
  }
  await withWorkingDatabase(
    config,
    async (url) => {
      const seeded = await seed(config, url);
      console.log(seeded ? 'Demo data created.' : 'There are already accounts, so no demo data was created.');
    },
    { make: true },
  );
});
