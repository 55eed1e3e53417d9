import type { Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookingDialog,
  confirm,
  confirmedDialog,
  fill,
  openBooking,
  openDays,
  openTimes,
  toast,
} from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

/** Client spec, section 9: every half hour, but for the one from one to two. */
const eighteenTimes = [
  ...['09:00 AM', '09:30 AM', '10:00 AM', '10:30 AM', '11:00 AM', '11:30 AM', '12:00 PM', '12:30 PM'],
  ...['02:00 PM', '02:30 PM', '03:00 PM', '03:30 PM', '04:00 PM', '04:30 PM', '05:00 PM', '05:30 PM'],
  ...['06:00 PM', '06:30 PM'],
];

test('the prompt’s words and picture follow what was asked for', async ({ page }) => {
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  const expectPrompt = async (text: RegExp, icon: string) => {
    await expect(prompt).toContainText(text);
    await expect(
      prompt.locator(`p svg.lucide-${icon}, span[aria-hidden] svg.lucide-${icon}`).first(),
    ).toBeVisible();
    await prompt.getByRole('button', { name: 'Not now, continue browsing' }).click();
    await expect(prompt).toBeHidden();
  };
  await page.goto('/services');
  await page.getByRole('button', { name: 'Book Session for Youth Guidance' }).click();
  await expectPrompt(
    /to book a session with a caring specialist\..*personalised care.*secure and confidential/,
    'calendar-heart',
  );
  await page.goto('/profile');
  await expectPrompt(/access your personal profile and manage your preferences/, 'user-round');
  await page.goto('/resources');
  await page.getByRole('main').getByRole('button', { name: /^Get / }).first().click();
  await expectPrompt(/personalised resources, saved favourites and growth tracking/, 'heart');
  await page
    .getByRole('main')
    .getByRole('button', { name: /favourite/i })
    .first()
    .click();
  await expectPrompt(/Sign in to save your preferences/, 'heart');
  await page.goto('/admin/settings');
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expectPrompt(/Sign in or create a free account.*only takes a moment/, 'heart');
});

test('every Book Session opens the dialog for its own specialist', async ({ page, product }) => {
  const names = await product.query<{ name: string }>(
    `select full_name as name from providers join profiles using (id)
     join provider_services on provider_id = providers.id
     where listed and service_id = 'grief' order by position, full_name, profiles.id`,
  );
  const [first, second] = names.map(({ name }) => name);
  await signIn(page, someone());
  const expectWith = async (name: string) => {
    await expect(bookingDialog(page)).toContainText(`with ${name}`);
    await bookingDialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(bookingDialog(page)).toBeHidden();
  };
  await page.goto('/services');
  await page.getByRole('button', { name: 'Book Session for Comfort & Healing' }).click();
  await expectWith(first!);
  await page.goto('/service/grief');
  await page.getByRole('button', { name: `Book Session with ${second}` }).click();
  await expectWith(second!);
  await page.getByRole('button', { name: 'Book Session Now' }).click();
  await expectWith(first!);
  await page.goto('/therapists');
  await page.getByRole('button', { name: `Book Session with ${second}` }).click();
  await expectWith(second!);
});

test('an empty day of half-hour sessions has the eighteen times', async ({ open, product }) => {
  const ada = await becomeSpecialist(await open(), product);
  const page = await open({ timezoneId: 'America/New_York' });
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  await dialog.getByRole('button', { name: 'Next month' }).click();
  await dialog.getByRole('radio', { name: '30 minutes' }).check();
  await (await openDays(dialog)).first().click();
  await openTimes(dialog);
  const labels = dialog.getByRole('radiogroup', { name: /^Time/ }).locator('label');
  await expect(labels).toHaveText(eighteenTimes);
});

test('sessions last 30, 60 or 90 minutes, or as long as their service', async ({ page, product }) => {
  await signIn(page, someone());
  const lengthsOf = async (service: string) => {
    const [specialist] = await product.query<{ id: string }>(
      `select provider_id as id from provider_services join providers on id = provider_id
       where service_id = $1 and listed order by position limit 1`,
      [service],
    );
    const dialog = await openBooking(page, specialist!, service);
    return dialog.getByRole('radiogroup', { name: /^Duration/ }).locator('label');
  };
  await expect(await lengthsOf('individuals')).toHaveText(['30 minutes', '60 minutes', '90 minutes']);
  await expect(await lengthsOf('families')).toHaveText([
    '30 minutes',
    '60 minutes',
    '75 minutes',
    '90 minutes',
  ]);
});

test('a calendar file that the browser can’t make is said so, and can be tried again', async ({
  page,
  open,
  product,
}) => {
  const ada = await becomeSpecialist(await open(), product);
  await signIn(page, someone());
  const dialog = await openBooking(page, ada);
  await fill(dialog);
  await confirm(dialog);
  const done = confirmedDialog(page);
  await expect(done).toBeVisible();
  await page.evaluate(() => {
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = () => {
      URL.createObjectURL = make;
      throw new Error('no room');
    };
  });
  await done.getByRole('button', { name: /Download Calendar File/ }).click();
  await expect(toast(page, 'Download failed')).toBeVisible();
  await expect(toast(page, 'Unable to generate calendar file. Please try again.')).toBeVisible();
  const file = page.waitForEvent('download');
  await done.getByRole('button', { name: /Download Calendar File/ }).click();
  expect((await file).suggestedFilename()).toMatch(/^italk-session-.*\.ics$/);
});

test('the home of a client has its cards and its quick actions, each behind its gate', async ({
  page,
  product,
}) => {
  await signIn(page, 'client');
  await page.goto('/home');
  const [held] = await product.query<{ upcoming: number }>(
    `select count(*)::integer as upcoming from appointments join users on users.id = client_id
     where email = 'client@italk.example' and status in ('pending', 'confirmed') and ends_at > now()`,
  );
  const figures = page.getByRole('region', { name: 'Your figures' });
  await expect(figures.getByRole('term')).toHaveText([
    'Upcoming Appointments',
    'Sessions This Month',
    'Hours of Care',
  ]);
  await expect(figures.getByRole('definition').first()).toHaveText(String(held!.upcoming));
  await expect(page.getByRole('button', { name: 'Book Appointment' })).toBeVisible();
  const actions = page.getByRole('region', { name: 'Quick Actions' });
  await expect(actions.getByRole('link', { name: 'Wellness Resources' })).toHaveAttribute(
    'href',
    '/resources',
  );
  await expect(actions.getByRole('link', { name: 'Update Profile' })).toHaveAttribute('href', '/profile');
  await actions.getByRole('button', { name: 'Book an Appointment' }).click();
  await expect(bookingDialog(page)).toBeVisible();
});

test('the Admin link is there for everyone, and the room behind it for administrators', async ({ page }) => {
  const admin = page
    .getByRole('banner')
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Admin/ });
  await page.goto('/');
  await expect(admin).toHaveText('Admin');
  await admin.click();
  await expect(page).toHaveURL('/admin/settings');
  await expect(page.getByRole('main').getByRole('button', { name: 'Sign In' })).toBeVisible();
  for (const who of ['client', 'doctor'] as const) {
    await enterAs(page, who);
    await expect(page.getByRole('main')).toContainText(
      'Access denied. Required permission: access_admin_panel',
    );
  }
  await page.context().clearCookies();
  await signIn(page, 'admin');
  await page.goto('/');
  await expect(admin).toHaveText('Admin Dashboard');
  await admin.click();
  await expect(page.getByRole('main').getByRole('link', { name: 'Moderation' })).toBeVisible();
  await page.goto('/adminsettings');
  await expect(page.getByRole('main').getByRole('link', { name: 'Moderation' })).toBeVisible();
});

async function enterAs(page: Page, who: 'client' | 'doctor'): Promise<void> {
  await page.context().clearCookies();
  await signIn(page, who);
  await page.goto('/admin/settings');
}

/** Client spec, section 6: who may ask for what, by a procedure that needs just that. */
const asked = {
  '/api/buckets': ['admin'],
  '/api/analytics/overview': ['admin'],
  '/api/contact/messages': ['admin'],
  '/api/admin/devotionals': ['admin'],
  '/api/appointments/provider-figures': ['doctor', 'pastor'],
  '/api/prayers/received': ['doctor', 'pastor'],
  '/api/me/authored-resources': ['admin', 'doctor', 'pastor'],
  '/api/prayers/counsellors': ['client'],
  '/api/appointments/client-figures?timeZone=UTC': ['client'],
  '/api/me/resources?kept=got': ['admin', 'doctor', 'pastor', 'client'],
  '/api/me/profile': ['admin', 'doctor', 'pastor', 'client'],
} as const;

test('the server decides by the table of capabilities, whatever a browser shows', async ({
  page,
  product,
}) => {
  for (const who of ['guest', 'admin', 'doctor', 'pastor', 'client'] as const) {
    await page.context().clearCookies();
    if (who !== 'guest') await signIn(page, who);
    for (const [path, may] of Object.entries(asked)) {
      const answer = await page.request.get(`${product.url}${path}`);
      const refusal = who === 'guest' ? 401 : 403;
      expect(answer.status(), `${who} asks ${path}`).toBe(
        (may as readonly string[]).includes(who) ? 200 : refusal,
      );
    }
  }
});

test('a gate that stays shut says why: by role, by one permission, by a list of them', async ({ page }) => {
  const main = page.getByRole('main');
  await signIn(page, 'client');
  await page.goto('/prayers');
  await expect(main).toContainText('Access denied. Insufficient permissions.');
  await page.goto('/admin/inbox');
  await expect(main).toContainText('Access denied. Required permission: access_admin_panel');
  await page.context().clearCookies();
  await signIn(page, 'admin');
  await page.goto('/profile?tab=sessions');
  await expect(main).toContainText(
    'Access denied. Required permissions: view_own_appointments, manage_own_appointments',
  );
});
