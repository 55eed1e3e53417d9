import type { Page } from '@playwright/test';
import { expect, forgetSession, signIn, test } from './support/fixtures.ts';

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
  await page.goto('/admin/moderation');
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await expectPrompt(/Sign in or create a free account.*only takes a moment/, 'heart');
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
    await expect(page.getByRole('main').getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  }
  await forgetSession(page);
  await signIn(page, 'admin');
  await page.goto('/');
  await expect(admin).toHaveText('Admin Dashboard');
  await admin.click();
  await expect(page.getByRole('navigation', { name: 'Parts of the portal' })).toBeVisible();
});

async function enterAs(page: Page, who: 'client' | 'doctor'): Promise<void> {
  await forgetSession(page);
  await signIn(page, who);
  await page.goto('/admin/settings');
}

/** Client spec, section 6: who may ask for what, by a procedure that needs just that. */
const asked = {
  '/api/buckets': ['admin'],
  '/api/analytics/overview': ['admin'],
  '/api/admin/users/figures': ['admin'],
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
    await forgetSession(page);
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
  await forgetSession(page);
  await signIn(page, 'admin');
  await page.goto('/profile?tab=sessions');
  await expect(main).toContainText(
    'Access denied. Required permissions: view_own_appointments, manage_own_appointments',
  );
});
