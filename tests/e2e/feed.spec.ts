import { toast } from './support/booking.ts';
import { cardOf, sessionsOf, textOf } from './support/calendar.ts';
import { call, expect, signIn, test } from './support/fixtures.ts';
import { expectHoldsFocus, press } from './support/keyboard.ts';
import { expectFair } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

test('the quick actions of a specialist lead to their hours, and their other rooms stand below', async ({
  page,
}) => {
  await signIn(page, 'pastor');
  await page.goto('/home');
  const actions = page.getByRole('region', { name: 'Quick Actions' });
  await expect(actions.getByRole('listitem')).toHaveText([
    /^Availability Settings/,
    /^Download vCard/,
    /^Calendar Sync/,
  ]);
  const rooms = page.getByRole('navigation', { name: 'Your rooms' });
  for (const [name, path] of [
    ['Clients', '/clients'],
    ['Your figures', '/insights'],
    ['Your reviews', '/reviews'],
    ['Public profile', '/practice'],
    ['Prayer requests', '/prayers'],
    ['Write and upload', '/author'],
    ['Today’s devotional', '/devotional'],
  ] as const) {
    await expect(rooms.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveAttribute('href', path);
  }
  await expectFair(page, 'the home of a specialist', { dark: true });
  await actions.getByRole('link', { name: 'Availability Settings' }).click();
  await expect(page).toHaveURL('/availability');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Availability Settings');
});

test('Download vCard hands a specialist their own contact card', async ({ page, product }) => {
  await signIn(page, 'doctor');
  const [row] = await product.query<{ slug: string; title: string; name: string }>(
    `select slug, title, full_name as name from providers join users using (id) join profiles using (id)
     where email = 'doctor@italk.example'`,
  );
  await page.goto('/home');
  const begun = page.waitForEvent('download');
  await press(page, page.getByRole('button', { name: 'Download vCard' }));
  const file = await begun;
  expect(file.suggestedFilename()).toBe('italk-contact.vcf');
  const card = cardOf(await textOf(file));
  expect(card.get('fn')).toBe(row!.name);
  expect(card.get('title')).toBe(row!.title);
  expect(card.get('email')).toBe('doctor@italk.example');
  expect(card.get('url')).toBe(`${product.url}/therapists/${row!.slug}`);
  expect(card.get('adr')).toBeTruthy();
  await expect(toast(page, 'Contact card downloaded')).toBeVisible();
});

test('Calendar Sync gives an address that a calendar program reads, makes it anew, and turns it off', async ({
  page,
  context,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 404/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
  await signIn(page, 'doctor');
  await page.goto('/home');
  await press(page, page.getByRole('button', { name: 'Calendar Sync' }));
  const dialog = page.getByRole('dialog', { name: 'Calendar Sync' });
  const make = dialog.getByRole('button', { name: 'Make my calendar address' });
  await expect(make).toBeVisible();
  await expectHoldsFocus(dialog);
  await expectFair(page, 'no address yet', { dialog, dark: true });
  await press(page, make);
  const field = dialog.getByLabel('Your calendar address');
  await expect(field).toBeFocused();
  const address = await field.inputValue();
  expect(address).toMatch(new RegExp(`^${product.url}/calendar/[\\w-]{43}\\.ics$`));
  await expectFair(page, 'the address, shown once', { dialog, dark: true });
  await expect(dialog.getByRole('link', { name: 'Open in my calendar program' })).toHaveAttribute(
    'href',
    address.replace('http:', 'webcal:'),
  );
  await dialog.getByRole('button', { name: 'Copy address' }).click();
  await expect(toast(page, 'The address is copied')).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);

  const program = await fetch(address);
  expect(program.status).toBe(200);
  const text = await program.text();
  const sessions = sessionsOf(text);
  const [held] = await product.query<{ count: number }>(
    `select count(*)::integer as count from appointments join users on users.id = provider_id
      where email = 'doctor@italk.example' and status <> 'cancelled' and starts_at >= now() - interval '90 days'`,
  );
  expect(sessions.length).toBe(held!.count);
  expect(new Set(text.match(/^SUMMARY:.*$/gm)!.map((line) => line.trim()))).toEqual(
    new Set(['SUMMARY:iTalk session']),
  );

  await press(page, dialog.getByRole('button', { name: 'Close', exact: true }));
  await expect(page.getByRole('button', { name: 'Calendar Sync' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Calendar Sync is on')).toBeVisible();
  await expect(dialog.getByText(/^Last read on /)).toBeVisible();
  await expect(field).toBeHidden();
  await expectFair(page, 'Calendar Sync is on', { dialog, dark: true });
  await press(page, dialog.getByRole('button', { name: 'Make a new address' }));
  const sure = page.getByRole('alertdialog', { name: 'Make a new address?' });
  await expectFair(page, 'whether to make it anew', { dialog: sure });
  await press(page, sure.getByRole('button', { name: 'Make a new address' }));
  await expect(field).toBeFocused();
  const second = await field.inputValue();
  expect(second).not.toBe(address);
  expect((await fetch(address)).status).toBe(404);
  expect((await fetch(second)).status).toBe(200);

  await press(page, dialog.getByRole('button', { name: 'Turn off' }));
  const off = page.getByRole('alertdialog', { name: 'Turn off Calendar Sync?' });
  await expect(off).toContainText('won’t be kept up to date any more');
  await press(page, off.getByRole('button', { name: 'Turn it off' }));
  await expect(make).toBeFocused();
  expect((await fetch(second)).status).toBe(404);
});

test('an address that was made anew in another window isn’t shown in this one any more', async ({ page }) => {
  await signIn(page, 'pastor');
  await page.goto('/home');
  await page.getByRole('button', { name: 'Calendar Sync' }).click();
  const dialog = page.getByRole('dialog', { name: 'Calendar Sync' });
  await dialog.getByRole('button', { name: 'Make my calendar address' }).click();
  await expect(dialog.getByLabel('Your calendar address')).toBeVisible();
  await call(page, '/api/calendar-feed', {});
  await expect(dialog.getByText('Calendar Sync is on')).toBeVisible();
  await expect(dialog.getByLabel('Your calendar address')).toBeHidden();
});

test('a client finds Calendar Sync in their settings', async ({ page }) => {
  await signIn(page, 'client');
  await page.goto('/profile?tab=settings');
  await page.getByRole('button', { name: 'Set up Calendar Sync' }).click();
  const dialog = page.getByRole('dialog', { name: 'Calendar Sync' });
  await dialog.getByRole('button', { name: 'Make my calendar address' }).click();
  const address = await dialog.getByLabel('Your calendar address').inputValue();
  expect(await (await fetch(address)).text()).toContain('SUMMARY:iTalk session');
});
