import { afterAll, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf } from '../../../../tests/support/identity.ts';
import { openRealProvider, signInThere } from '../../../../tests/support/openid-server.ts';

// It warns of its settings for development.
for (const how of ['warn', 'info'] as const) vi.spyOn(console, how).mockImplementation(() => undefined);
const church = await openRealProvider();
church.sendBackTo('https://italk.test/continue/church');
afterAll(() => church.close());

const database = await testDatabase({ poolSize: 4 });
const { production, send, actorOf, userOf } = identitiesOf(database, { openIdProviders: [church.config] });
database.setNow('2026-03-02T12:00:00Z');

async function through(name: string) {
  const asked = await send(production, '/request-provider', { provider: 'church', next: '/growth' });
  const answer = await signInThere(asked.body.continueAt as string, name);
  return send(production, '/sign-in/provider', { provider: 'church', answer }, { cookie: asked.cookie });
}

test('works with a provider that keeps to the specification', async () => {
  const first = await through('naomi');
  expect(first.body).toEqual({ signedIn: true, next: '/growth', isNew: true });
  const user = (await userOf('naomi@grace.test'))!;
  expect(user).toMatchObject({ name: 'Naomi Weiss', email_verified: true });
  const again = await through('naomi');
  expect(again.body).toEqual({ signedIn: true, next: '/growth' });
  expect(await actorOf(production, again.cookie)).toMatchObject({ id: user.id, role: 'client' });
});
