import type { Page } from '@playwright/test';
import { startProduct } from '../../scripts/product.ts';
import { becomeSpecialist } from './support/booking.ts';
import {
  callOptions,
  clientName,
  expectToSeeAndHear,
  loseNetwork,
  meet,
  picture,
  received,
  sessionNow,
  watchCalls,
} from './support/call.ts';
import { test as base, expect, signIn, someone } from './support/fixtures.ts';
import { gather, serverWith, startRelay, type IceServer, type Relay } from './support/relay.ts';

const minute = 60_000;

const test = base.extend<object, { relay: Relay }>({
  relay: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const relay = await startRelay();
      await use(relay);
      await relay.stop();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ relay }, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000', ...relay.env } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

test.use({ launchOptions: callOptions });

test('carries a relay-only call, and recovers after ten seconds of failure', async ({
  page,
  open,
  product,
  relay,
  expectNoise,
}) => {
  const theirs = await open();
  const ada = await becomeSpecialist(theirs, product);
  await signIn(page, someone('caller'));
  await watchCalls(page, { relayOnly: true });
  await watchCalls(theirs, { relayOnly: true });
  const id = await sessionNow(page, product, ada);
  await meet(page, theirs, id);
  for (const one of [page, theirs]) {
    await expectToSeeAndHear(one);
    expect((await received(one)).map(({ pair }) => pair)).toEqual(['relay/relay']);
  }

  expectNoise(/ERR_INTERNET_DISCONNECTED/);
  relay.freeze();
  try {
    await loseNetwork(page, 10, async () => {
      for (const [one, name] of [
        [page, ada.name],
        [theirs, clientName],
      ] as const) {
        await expect(picture(one, name).getByText('Reconnecting…')).toBeVisible();
        expect((await received(one)).map(({ state }) => state)).not.toContain('connected');
      }
    });
  } finally {
    relay.thaw();
  }
  for (const one of [page, theirs]) {
    await expectToSeeAndHear(one);
    expect((await received(one)).map(({ pair }) => pair)).toEqual(['relay/relay']);
    await expect(one.getByText('Reconnecting…')).toHaveCount(0);
  }
});

test('accepts the product’s relay credentials until the room closes, and refuses all others', async ({
  page,
  open,
  product,
  relay,
}) => {
  const ada = await becomeSpecialist(await open(), product);
  await signIn(page, someone());
  const id = await sessionNow(page, product, ada);
  await page.goto('/');

  const [server] = await iceServers(page, id);
  expect(server!.urls).toEqual([relay.env.TURN_URLS]);
  const [until, name] = server!.username!.split(':') as [string, string];
  const { closesAt } = (await (await page.request.get(`/api/sessions/${id}`)).json()) as { closesAt: string };
  expect(Number(until)).toBe(Math.floor(Date.parse(closesAt) / 1_000));
  const gathered = await gather(page, server!);
  expect(gathered).toMatchObject({ errors: [] });
  expect(gathered.candidates).toContain('relay');

  const soon = new Date(Date.now() + 10 * minute);
  const refused = { candidates: [], errors: [401] };
  expect(await gather(page, serverWith(relay, new Date(Date.now() - minute))), 'expired').toEqual(refused);
  expect(await gather(page, serverWith(relay, soon, 'a guess')), 'forged').toEqual(refused);
  const longer = { ...server!, username: `${Number(until) + 3_600}:${name}` };
  expect(await gather(page, longer), 'made longer').toEqual(refused);
  expect(await gather(page, { ...server!, username: `${until}:another` }), 'another’s').toEqual(refused);
  // Valid credentials in the same format pass, so the refusals above aren't about format.
  expect((await gather(page, serverWith(relay, soon))).candidates, 'good').toContain('relay');
});

async function iceServers(page: Page, appointmentId: string): Promise<IceServer[]> {
  const answer = await page.request.get(`/api/sessions/${appointmentId}/ice-servers`);
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as IceServer[];
}

test('connects a person who hides their network address through the relay only', async ({
  page,
  open,
  product,
}) => {
  const theirs = await open();
  const ada = await becomeSpecialist(theirs, product);
  await signIn(page, someone('hidden'));
  for (const one of [page, theirs]) await watchCalls(one);
  const id = await sessionNow(page, product, ada);
  await page.goto(`/session/${id}`);
  const hide = page.getByRole('switch', { name: 'Hide my network address' });
  await hide.check();
  await meet(page, theirs, id);
  for (const one of [page, theirs]) await expectToSeeAndHear(one);
  expect((await received(page)).map(({ pair }) => pair!.split('/')[0])).toEqual(['relay']);
  expect((await received(theirs)).map(({ pair }) => pair!.split('/')[1])).toEqual(['relay']);
});
