import { becomeSpecialist, bookDirectly, offeredTimes } from './support/booking.ts';
import { sessionsOf } from './support/calendar.ts';
import { expect, reauthenticate, test } from './support/fixtures.ts';
import { becomeClient } from './support/people.ts';

test(
  'Calendar Sync creates, replaces and revokes a URL that calendar apps can read',
  { tag: '@long' },
  async ({ page, context, open, product }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
    const specialist = await becomeSpecialist(page, product);
    const client = await open();
    await becomeClient(client, product);
    const [first, , , second] = await offeredTimes(client, product, specialist);
    for (const start of [first!, second!]) await bookDirectly(client, specialist, start);
    await page.goto('/home');
    await page.getByRole('button', { name: 'Calendar Sync' }).click();
    const dialog = page.getByRole('dialog', { name: 'Calendar Sync' });
    const make = dialog.getByRole('button', { name: 'Create calendar link' });
    await reauthenticate(page);
    await make.click();
    const field = dialog.getByLabel('Your calendar link');
    const address = await field.inputValue();
    expect(address).toMatch(new RegExp(`^${product.url}/calendar/[\\w-]{43}\\.ics$`));
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    const program = await fetch(address);
    expect(program.status).toBe(200);
    const sessions = sessionsOf(await program.text());
    expect(sessions.map(({ startsAt }) => startsAt).toSorted()).toEqual(
      [first!, second!].map((start) => new Date(start).toISOString()),
    );
    expect(new Set(sessions.map(({ summary }) => summary))).toEqual(new Set(['iTalk session']));

    await dialog.getByRole('button', { name: 'Create new link' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create new link' }).click();
    await expect(field).not.toHaveValue(address);
    const renewed = await field.inputValue();
    expect((await fetch(address)).status).toBe(404);
    expect((await fetch(renewed)).status).toBe(200);

    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn it off' }).click();
    await expect(make).toBeVisible();
    expect((await fetch(renewed)).status).toBe(404);
  },
);
