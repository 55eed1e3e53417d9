import type { Locator, Page } from '@playwright/test';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { desktop, phone } from './support/look.ts';

test.use({ reducedMotion: 'reduce' });

const shown = (page: Page) => page.locator('li[data-state="open"]').last();

async function expectApart(toast: Locator, other: Locator): Promise<void> {
  const [one, two] = [(await toast.boundingBox())!, await other.boundingBox()];
  if (!two) return;
  const apart =
    one.y >= two.y + two.height ||
    one.y + one.height <= two.y ||
    one.x >= two.x + two.width ||
    one.x + one.width <= two.x;
  expect(apart, `${JSON.stringify(one)} covers ${JSON.stringify(two)}`).toBe(true);
}

async function saveName(page: Page, name: string): Promise<void> {
  await page.getByLabel('Full name').fill(name);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(shown(page)).toContainText('Your changes are saved');
}

for (const size of [phone, desktop])
  test(`a toast covers neither the heading nor the main button at ${size.width} px`, async ({ page }) => {
    await page.setViewportSize(size);
    await signIn(page, someone('toast'));
    await page.goto('/profile');
    await saveName(page, 'Naomi Weiss');
    await expectApart(shown(page), page.getByRole('button', { name: 'Save Changes' }));
    await expectApart(shown(page), page.locator('nav[data-bar]'));
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectApart(shown(page), page.getByRole('heading', { level: 1 }));
    const { y, height } = (await shown(page).boundingBox())!;
    expect(y).toBeGreaterThan(size.height / 2);
    expect(y + height).toBeLessThanOrEqual(size.height);
  });

test('a toast stays above the keyboard', async ({ page }) => {
  await page.setViewportSize(phone);
  await signIn(page, someone('toast'));
  await page.goto('/profile');
  await saveName(page, 'Naomi Weiss');
  // As phones tell of it: the page keeps its size, and less of it is seen.
  await page.evaluate(() => {
    Object.defineProperty(window.visualViewport, 'height', { value: 420 });
    window.visualViewport!.dispatchEvent(new Event('resize'));
  });
  const { y, height } = (await shown(page).boundingBox())!;
  expect(y).toBeGreaterThan(0);
  expect(y + height).toBeLessThanOrEqual(420);
});
