import fc from 'fast-check';
import { afterAll, expect, inject, test } from 'vitest';
import { newModel } from './support/identity-model.ts';
import { beginnings, ran, steps } from './support/identity-commands.ts';
import { worldsAt } from './support/identity-world.ts';
import { openTestProvider } from './support/openid.ts';
import { proving } from './support/prove.ts';
import { testServer } from './support/server.ts';
import { openTestSms } from './support/sms.ts';

const most = proving ? 20_000 : 500;

const church = await openTestProvider();
const sms = await openTestSms();
afterAll(() => Promise.all([church.close(), sms.close()]));
const server = await testServer({
  settableClock: true,
  config: {
    mode: 'production',
    openIdProviders: [church.config],
    walletSignIn: true,
    sms: sms.config,
    programRedirects: ['com.example.app://signed-in'],
  },
});
const { db } = server.database;
await db
  .updateTable('feature_flags')
  .set({ enabled: true, scope: 'global' })
  .where('id', 'in', ['two_factor_authentication', 'mobile_app_access'])
  .execute();
const makeWorld = await worldsAt(server, { church, sms });

let now = Temporal.Instant.from('2026-03-02T12:00:00Z').epochMilliseconds;

test('identity follows its model, in any order of what owner, attacker and administrators do', async () => {
  let hasFailed = false;
  await fc.assert(
    fc.asyncProperty(
      fc.commands([steps], { size: 'max', maxCommands: 200 }),
      fc.constantFrom(...beginnings),
      async (commands, beginning) => {
        if (ran.steps >= most && !hasFailed) return;
        const [m, w] = [newModel(now), makeWorld()];
        w.setNow(now);
        try {
          for (const step of beginning) await step.run(m, w);
          await fc.asyncModelRun(() => ({ model: m, real: w }), commands);
        } catch (error) {
          hasFailed = true;
          if (error instanceof Error) error.message = `${w.story.join('\n')}\n${error.message}`;
          throw error;
        } finally {
          now = m.now;
        }
      },
    ),
    // New stories only in proofs: the model's own rare mistakes would turn other runs red by chance.
    { numRuns: most / 5, seed: proving ? inject('seed') : 101, endOnFailure: false },
  );
  expect(ran.steps).toBeGreaterThanOrEqual(most);
});
