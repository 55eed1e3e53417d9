import { bookingDialog } from './support/booking.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { desktop, phone } from './support/look.ts';

test(
  'links to a page’s content and sections, and prints it without controls',
  { tag: '@long' },
  async ({ page }) => {
    const header = page.getByRole('banner');
    for (const path of ['/services', '/?auth=1', '/dev/mail', '/']) {
      await page.goto(path);
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: 'Skip to content' });
      await expect(skip, path).toBeFocused();
      await expect(skip).toBeInViewport();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('main'), path).toBeFocused();
    }
    await page.getByRole('link', { name: 'Explore Our Services' }).click();
    await expect(page.getByRole('heading', { name: 'Core Services' })).toBeInViewport();
    for (const [link, heading] of [
      ['Testimonials', 'Stories of healing and hope'],
      ['Specialists', 'Meet Our Trusted Specialists'],
      ['Services', 'Core Services'],
    ] as const) {
      await header.getByRole('link', { name: link, exact: true }).click();
      const title = page.getByRole('heading', { name: heading });
      await expect(title).toBeInViewport();
      const bar = (await header.boundingBox())!;
      expect(bar.y).toBe(0);
      await expect
        .poll(async () => (await title.boundingBox())!.y, `${heading} is below the header`)
        .toBeGreaterThanOrEqual(bar.height);
    }
    await page.setViewportSize(phone);
    await header.getByRole('button', { name: 'Open menu' }).click();
    await header.getByRole('link', { name: 'How It Works' }).click();
    await expect(page.getByRole('heading', { name: 'How It Works' })).toBeInViewport();

    await page.setViewportSize(desktop);
    await signIn(page, 'client');
    await page.emulateMedia({ media: 'print' });
    await page.goto('/faq');
    const answers = page.locator('details > p');
    const heights = await answers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(15);
    expect(Math.min(...heights)).toBeGreaterThan(20);
    for (const path of ['/faq', '/service/grief', '/contact', '/home']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      for (const frame of [header, page.getByRole('contentinfo')]) await expect(frame, path).toBeHidden();
      await expect(page.getByRole('main').getByRole('button'), path).toHaveCount(0);
    }
    const coming = page.getByRole('region', { name: 'Upcoming Appointments' });
    await expect(coming.locator('time').first()).toBeVisible();

    await page.emulateMedia({ media: 'screen' });
    await page.goto('/service/grief');
    await page.getByRole('button', { name: 'Book Session Now' }).click();
    const dialog = bookingDialog(page);
    await expect(dialog).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(dialog).toBeVisible();
    await expect(page.locator('main')).toBeHidden();
    const cut = await dialog.evaluate((place) =>
      [place, ...place.querySelectorAll('*')].some(
        (one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible',
      ),
    );
    expect(cut).toBe(false);
  },
);
