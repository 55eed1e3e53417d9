import { becomeSpecialist, bookDirectly, offeredTimes } from './support/booking.ts';
import { call, expect, test } from './support/fixtures.ts';
import { becomeClient } from './support/people.ts';

const [onRecord, privately] = ['Sleeps a little better.', 'I was in a hurry today.'];

test(
  'keeps a provider’s client notes private, and updates what the client shares at once',
  { tag: '@long' },
  async ({ page, product, open }) => {
    const counselor = await becomeSpecialist(page, product);
    const theirs = await open();
    await becomeClient(theirs, product, 'Naomi Weiss');
    await bookDirectly(theirs, counselor, (await offeredTimes(theirs, product, counselor)).at(-1)!);
    await page.goto('/clients');
    await page.getByRole('link', { name: 'Naomi Weiss' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Naomi Weiss');
    await expect(page).toHaveTitle(/^Client/);
    for (const [tab, text] of [
      ['Session notes', onRecord],
      ['Private notes', privately],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      // The previous tab's panel stays in the DOM, hidden.
      const panel = page.getByRole('tabpanel', { name: tab });
      await panel.getByLabel('Your note').fill(text);
      await panel.getByRole('button', { name: 'Save note' }).click();
      await expect(panel.getByRole('listitem')).toContainText(text);
    }
    await page.reload();
    const panel = page.getByRole('tabpanel', { name: 'Private notes' });
    await expect(panel.getByRole('listitem')).toContainText(privately);
    await expect(page.getByText(onRecord)).toBeHidden();
    for (const tab of ['notes', 'private']) {
      const answer = await theirs.request.get(`${new URL(page.url()).pathname}?tab=${tab}`);
      expect(await answer.text()).not.toMatch(new RegExp(`${onRecord}|${privately}`));
    }

    await page.getByRole('tab', { name: 'Shared with you' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing is shared yet' })).toBeVisible();
    await call(theirs, '/api/goals', { title: 'Walk by the lake', steps: [{ text: 'Find my shoes' }] });
    await theirs.goto('/profile?tab=privacy');
    const group = theirs.getByRole('group', { name: counselor.name });
    await group.getByRole('switch', { name: /^Goals/ }).check();
    await expect(
      theirs.getByText(`${counselor.name} now sees: Goals and their steps`, { exact: true }),
    ).toBeVisible();
    await expect(page.getByText('Walk by the lake')).toBeVisible();
    await expect(page.getByText('Find my shoes')).toBeVisible();
    await group.getByRole('switch', { name: /^Goals/ }).uncheck();
    await expect(page.getByRole('heading', { name: 'Nothing is shared yet' })).toBeVisible();
  },
);
