import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { toast } from './support/booking.ts';
import { expect, signIn, test } from './support/fixtures.ts';

const services = [
  { id: 'individuals', title: 'Individual Healing' },
  { id: 'couples', title: 'Strengthening Bonds' },
  { id: 'families', title: 'Uniting Families in Faith' },
  { id: 'teens', title: 'Youth Guidance' },
  { id: 'grief', title: 'Comfort & Healing' },
  { id: 'spiritual', title: 'Faith Strengthening' },
] as const;

// Other tests may have made specialists past the product, whose cached pages don't show them yet.
test.beforeAll(async ({ product }) => {
  await product.query('notify pages');
});

test.describe('the landing page', () => {
  test('says everything in its order, from the header to the copyright', async ({ page, product }) => {
    await page.goto('/');
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: /start page$/ })).toContainText('iTalk Health');
    const nav = header.getByRole('navigation', { name: 'Main' });
    await expect(nav.getByRole('link')).toHaveText(['Services', 'Specialists', 'Testimonials', 'Admin']);
    await expect(header.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/?auth=1');
    await expect(header.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', /^\/\?auth=1/);
    await expect(header.getByRole('button', { name: 'Logout' })).toHaveCount(0);

    const main = page.getByRole('main');
    await expect(main.getByRole('figure').first()).toHaveText(/^“Come to me, .+”Matthew 11:28$/);
    await expect(main.getByRole('list', { name: 'What you can rely on' }).getByRole('listitem')).toHaveText([
      'Licensed Professionals',
      'Faith-Centered Care',
      'Trusted Community',
    ]);
    const welcome = page.getByRole('region', { name: 'Come in and look around' });
    await expect(welcome).toContainText('Browsing is free');
    await expect(welcome).toContainText('secure, privacy-minded, HIPAA-compliant environment');
    await expect(welcome.getByRole('link', { name: 'Start Exploring' })).toHaveAttribute('href', '/services');
    await expect(main.getByRole('heading', { level: 2 })).toHaveText([
      'Come in and look around',
      'Core Services',
      'Meet Our Trusted Specialists',
      'Stories of healing and hope',
      'Our spiritual foundation',
      'How It Works',
    ]);

    await serviceCards(page.getByRole('region', { name: 'Core Services' }));
    await threeSpecialists(page, product);
    const stories = page.getByRole('region', { name: 'Stories of healing and hope' });
    await expect(stories.getByRole('listitem').filter({ has: page.getByRole('figure') })).toHaveCount(6);
    await expect(stories.getByText(/^[1-5] out of 5 stars$/)).toHaveCount(6);
    await expect(
      page.getByRole('region', { name: 'How It Works' }).getByRole('heading', { level: 3 }),
    ).toHaveText(['Explore Services', 'Choose a Specialist', 'Book & Connect']);
    await footer(page);
  });

  test('scrolls to its sections below a header that stays', async ({ page }) => {
    await page.goto('/');
    const coreServices = page.getByRole('heading', { name: 'Core Services' });
    await expect(coreServices).not.toBeInViewport();
    await page.getByRole('link', { name: 'Explore Our Services' }).click();
    await expect(coreServices).toBeInViewport();
    const header = page.getByRole('banner');
    for (const [link, heading] of [
      ['Testimonials', 'Stories of healing and hope'],
      ['Specialists', 'Meet Our Trusted Specialists'],
      ['Services', 'Core Services'],
    ] as const) {
      await header.getByRole('link', { name: link, exact: true }).click();
      const title = page.getByRole('heading', { name: heading });
      await expect(title).toBeInViewport();
      const bar = await header.boundingBox();
      expect(bar?.y).toBe(0);
      await expect
        .poll(async () => (await title.boundingBox())!.y, {
          message: `${heading} isn’t hidden by the header`,
        })
        .toBeGreaterThanOrEqual(bar!.height);
    }
  });

  test('has a menu on phones that opens and closes, and leads to How It Works', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    const header = page.getByRole('banner');
    const nav = header.getByRole('navigation', { name: 'Main' });
    await expect(nav).toHaveCount(0);
    await header.getByRole('button', { name: 'Open menu' }).click();
    await expect(nav.getByRole('link')).toHaveText([
      'Services',
      'Specialists',
      'Testimonials',
      'How It Works',
      'Admin',
    ]);
    await expect(header.getByRole('link', { name: 'Log In' })).toBeVisible();
    await expect(header.getByRole('link', { name: 'Get Started' })).toBeVisible();
    await header.getByRole('button', { name: 'Close menu' }).click();
    await expect(nav).toHaveCount(0);

    await header.getByRole('button', { name: 'Open menu' }).click();
    await nav.getByRole('link', { name: 'How It Works' }).click();
    await expect(nav).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'How It Works' })).toBeInViewport();
  });

  test('shows who is signed in Logout, and the way home', async ({ page }) => {
    await signIn(page, 'client');
    await page.goto('/');
    const header = page.getByRole('banner');
    await expect(header.getByRole('button', { name: 'Logout' })).toBeVisible();
    await expect(header.getByRole('link', { name: 'Log In' })).toHaveCount(0);
    await header.getByRole('link', { name: 'Home', exact: true }).click();
    await expect(page).toHaveURL('/home');
  });
});

test.describe('the other public pages', () => {
  test('list every service with its books and its first two specialists', async ({ page, product }) => {
    await page.goto('/services');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our services');
    const main = page.getByRole('main');
    await serviceCards(main);
    for (const { id, title } of services) {
      const names = await specialistsOf(product, id);
      expect(names.length).toBeGreaterThan(0);
      const [stored] = await product.query<{ description: string; based_on: string }>(
        'select description, based_on from services where id = $1',
        [id],
      );
      const card = cardOf(main, title);
      await expect(card).toContainText(stored!.description);
      await expect(card).toContainText(`Based on${stored!.based_on}`);
      const more = names.length > 2 ? ` +${names.length - 2} more` : '';
      await expect(card).toContainText(`${names.slice(0, 2).join(', ')}${more}`);
    }
    await footer(page);
    await main.getByRole('link', { name: 'Learn More about Youth Guidance' }).click();
    await expect(page).toHaveURL('/service/teens');
  });

  test('tell of each service in all its parts', async ({ page, product }) => {
    for (const { id, title } of services) {
      const [stored] = await product.query<{
        description: string;
        based_on: string;
        support_offered: string;
        issues_addressed: string[];
        spiritual_themes: { verse: string; quote: string }[];
        related_resources: string[];
      }>('select * from services where id = $1', [id]);
      const [told] = await product.query<{ count: number }>(
        `select count(*)::integer as count from reviews where service_id = $1 and text is not null and state = 'approved'`,
        [id],
      );
      await page.goto(`/service/${id}`);
      const main = page.getByRole('main');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(main).toContainText(stored!.description);

      const overview = page.getByRole('region', { name: 'Service Overview' });
      await expect(overview.getByRole('heading', { level: 3 })).toHaveText([
        'Support offered',
        'Based on',
        'Issues addressed',
      ]);
      await expect(overview).toContainText(stored!.support_offered);
      await expect(overview).toContainText(stored!.based_on);
      await expect(overview.getByRole('listitem')).toHaveText(stored!.issues_addressed);
      await expect(page.getByRole('region', { name: 'Spiritual Themes' }).getByRole('figure')).toHaveText(
        stored!.spiritual_themes.map(({ verse, quote }) => `“${quote}”${verse}`),
      );
      const available = page.getByRole('region', { name: 'Available Specialists' });
      const names = await specialistsOf(product, id);
      await expect(available.getByRole('heading', { level: 3 })).toHaveText(names);
      for (const name of names) {
        await expect(
          available.getByRole('button', { name: `Book Session with ${name}` }).first(),
        ).toBeVisible();
      }
      const testimonials = page.getByRole('region', { name: 'Testimonials' });
      await expect(testimonials.getByText(/^[1-5] out of 5 stars$/)).toHaveCount(told!.count);
      // Each leads somewhere: what the library doesn't have isn't named.
      const library = await product.query<{ title: string }>(
        `select title from resources where status = 'published'`,
      );
      await expect(page.getByRole('region', { name: 'Related Resources' }).getByRole('link')).toHaveText(
        stored!.related_resources.filter((named) => library.some(({ title: known }) => known === named)),
      );
    }
    const tabs = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
    await expect(tabs.getByRole('link')).toHaveText([
      'Home',
      'Services',
      'Therapists',
      'Resources',
      'Profile',
    ]);
    // 'Book Session Now' stays in sight while the page is read, on wide screens and on phones.
    const bookNow = page.getByRole('button', { name: 'Book Session Now' });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const part of ['Service Overview', 'Available Specialists']) {
        await page.getByRole('heading', { name: part }).scrollIntoViewIfNeeded();
        await expect(bookNow).toBeInViewport();
      }
    }
  });

  test('know the way back from a service that isn’t there', async ({ page, product, expectNoise }) => {
    expectNoise(/status of 404/);
    const response = await page.goto('/service/nothing');
    expect(response!.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Service not found');
    await expect(page).toHaveTitle('Service not found · iTalk Health');
    await page.getByRole('button', { name: 'Go Back' }).click();
    await expect(page).toHaveURL('/services');

    await test.step('also one that went away while its list was read', async () => {
      await page.goto('/therapists');
      // Told by the page's script: from then on it is the script that moves on, to pages that no cache has.
      await expect(page.getByText(/^Times are in your time zone/)).toBeVisible();
      await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
      await expect(page).toHaveURL('/services');
      await product.query(`update services set active = false where id = 'grief'`);
      try {
        await page.getByRole('main').getByRole('link', { name: 'Comfort & Healing', exact: true }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Service not found');
      } finally {
        await product.query(`update services set active = true where id = 'grief'`);
      }
      await page.getByRole('button', { name: 'Go Back' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our services');
    });
  });

  test('introduce every specialist in full', async ({ page, product }) => {
    await page.goto('/therapists');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our specialists');
    const listed = await specialists(product);
    const profiles = page.getByRole('main').getByRole('article');
    // A dozen at a time.
    for (let shown = 12; shown < listed.length; shown += 12) {
      await expect(profiles).toHaveCount(shown);
      await page.getByRole('link', { name: 'Show more' }).click();
    }
    await expect(profiles).toHaveCount(listed.length);
    for (const [index, one] of listed.entries()) {
      const profile = profiles.nth(index);
      await expect(profile.getByRole('heading', { level: 2 })).toHaveText(one.full_name);
      const reviews =
        one.rating_count > 0
          ? [(one.rating_sum / one.rating_count).toFixed(1), `${one.rating_count} reviews`]
          : ['no reviews yet'];
      for (const text of [
        initials(one.full_name),
        one.title,
        ...reviews,
        one.bio,
        one.approach,
        one.experience,
        one.location,
        one.languages.join(', '),
        ...one.education,
      ]) {
        await expect(profile).toContainText(text);
      }
      await expect(profile.getByRole('list', { name: 'Specialties' }).getByRole('listitem')).toHaveText(
        one.specialties,
      );
      await profile.getByRole('heading', { name: 'Availability' }).scrollIntoViewIfNeeded();
      await expect(
        profile
          .getByRole('button', {
            name: new RegExp(`^Book \\w+, \\w+ \\d+, \\d\\d:\\d\\d [AP]M with ${one.full_name}$`),
          })
          .or(profile.getByText('No open times at present'))
          .first(),
      ).toBeVisible();
      await expect(profile.getByRole('button', { name: `Book Session with ${one.full_name}` })).toBeVisible();
    }
    await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL('/');
  });

  test('let the signed-in sign out from their tabs', async ({ page }) => {
    await signIn(page, 'client');
    // The page's script opens it, and hears presses by then.
    const line = page.waitForEvent('websocket');
    await page.goto('/service/grief');
    await line;
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await expect(toast(page, 'Signed out successfully')).toBeVisible();
    await expect(page).toHaveURL('/');
  });
});

const publicPages = [
  { path: '/', types: ['Organization+MedicalBusiness', 'WebSite'], text: 'Care for your mind' },
  { path: '/services', types: ['ItemList'], text: 'Uniting Families in Faith' },
  { path: '/therapists', types: ['ItemList'], text: 'Dr. Naomi Bennett' },
  ...services.map(({ id, title }) => ({ path: `/service/${id}`, types: ['Service'], text: title })),
];

test('public pages can be read without script, by search engines and by guests without a cookie', async ({
  open,
  product,
}) => {
  const page = await open({ javaScriptEnabled: false });
  const cookies: string[] = [];
  page.on('response', (response) => {
    if (response.headers()['set-cookie']) cookies.push(response.url());
  });
  const titles = new Set<string>();
  const descriptions = new Set<string>();
  for (const { path, types, text } of publicPages) {
    await page.goto(`${product.url}${path}`);
    await expect(page.getByRole('main'), path).toContainText(text);
    await expect(page.getByRole('contentinfo'), path).toContainText('All rights reserved.');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    titles.add(await page.title());
    expect(await page.title()).toContain('iTalk Health');
    descriptions.add((await page.locator('meta[name=description]').getAttribute('content')) ?? '');
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${product.url}${path}`);
    await expect(page.locator('meta[name=robots]')).toHaveCount(0);
    const structured = await page.locator('script[type="application/ld+json"]').allTextContents();
    const found = structured.map((json) => JSON.parse(json) as Record<string, unknown>);
    for (const data of found) expect(data['@context']).toBe('https://schema.org');
    expect(
      found.map((data) => [data['@type']].flat().join('+')),
      path,
    ).toEqual(types);
    if (types.includes('ItemList')) {
      expect(found[0]!.itemListElement).toHaveLength(
        path === '/services' ? 6 : Math.min(await countOf(product), specialistsShown),
      );
    }
  }
  expect(titles.size).toBe(publicPages.length);
  expect(descriptions.size).toBe(publicPages.length);
  expect([...descriptions].every((one) => one.length > 50)).toBe(true);
  expect(cookies).toEqual([]);

  // The crisis lines open without any script.
  await page.goto(product.url);
  await page.getByRole('banner').getByRole('button', { name: 'Need help now?' }).click();
  await expect(page.getByRole('link', { name: /988/ }).first()).toBeVisible();
});

function cardOf(place: Locator, title: string): Locator {
  return place
    .getByRole('listitem')
    .filter({ has: place.page().getByRole('heading', { name: title, level: 3 }) });
}

/** The six services in their order, each with its two ways on. */
async function serviceCards(place: Locator): Promise<void> {
  await expect(place.getByRole('heading', { level: 3 })).toHaveText(services.map(({ title }) => title));
  for (const { id, title } of services) {
    const card = cardOf(place, title);
    const learnMore = card.getByRole('link', { name: `Learn More about ${title}` });
    await expect(learnMore).toHaveAttribute('href', `/service/${id}`);
    await expect(card.getByRole('button', { name: `Book Session for ${title}` })).toBeVisible();
  }
}

async function threeSpecialists(page: Page, product: Product): Promise<void> {
  const place = page.getByRole('region', { name: 'Meet Our Trusted Specialists' });
  const shown = (await specialists(product)).slice(0, 3);
  expect(shown).toHaveLength(3);
  await expect(place.getByRole('heading', { level: 3 })).toHaveText(shown.map((one) => one.full_name));
  for (const { full_name: name, specialties, title } of shown) {
    const card = cardOf(place, name);
    await expect(card).toContainText(title);
    const more = specialties.length > 2 ? [`+${specialties.length - 2} more`] : [];
    await expect(card.getByRole('listitem')).toHaveText([...specialties.slice(0, 2), ...more]);
    await expect(card.getByRole('link', { name: `View Full Profile of ${name}` })).toHaveAttribute(
      'href',
      /^\/therapists#/,
    );
    await expect(card.getByRole('button', { name: `Book Consultation with ${name}` })).toBeVisible();
  }
  await expect(place.getByRole('link', { name: 'View All Specialists' })).toHaveAttribute(
    'href',
    '/therapists',
  );
}

async function footer(page: Page): Promise<void> {
  const place = page.getByRole('contentinfo');
  await expect(place.getByRole('navigation', { name: 'Services' }).getByRole('link')).toHaveText([
    ...services.map(({ title }) => title),
    'All services',
  ]);
  await expect(place.getByRole('navigation', { name: 'Support' })).toBeVisible();
  await expect(place.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', /^\/\?auth=1/);
  await expect(place.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/?auth=1');
  const year = new Date().getUTCFullYear();
  await expect(place).toContainText(
    `© ${year > 2024 ? `2024–${year}` : '2024'} iTalk Health. All rights reserved.`,
  );
}

interface Listed {
  full_name: string;
  title: string;
  specialties: string[];
  bio: string;
  approach: string;
  experience: string;
  location: string;
  languages: string[];
  education: string[];
  rating_sum: number;
  rating_count: number;
}

function specialists(product: Product): Promise<Listed[]> {
  return product.query<Listed>(
    `select profiles.full_name, providers.* from providers join profiles using (id)
     where listed order by position, slug`,
  );
}

async function specialistsOf(product: Product, serviceId: string): Promise<string[]> {
  const rows = await product.query<{ full_name: string }>(
    `select full_name from providers join profiles using (id)
     join provider_services on provider_id = providers.id
     where listed and service_id = $1 order by position, full_name, profiles.id`,
    [serviceId],
  );
  return rows.map((row) => row.full_name);
}

/** How many specialists their page shows before one asks for more. */
const specialistsShown = 12;

async function countOf(product: Product): Promise<number> {
  return (await specialists(product)).length;
}

/** As the avatars show them: of the first and the last name. */
function initials(name: string): string {
  const words = name.replace(/^(Dr\.|Pastor) /, '').split(' ');
  return words.length > 1 ? `${words[0]![0]}${words.at(-1)![0]}` : words[0]![0]!;
}

test('a press before the page takes input is carried out once, as soon as it does', async ({ page }) => {
  let release = () => {};
  const loaded = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await loaded;
    await route.continue();
  });
  await page.goto('/therapists', { waitUntil: 'commit' });
  const book = page.getByRole('button', { name: /^Book / }).first();
  await book.click();
  await book.click();
  await expect(page.locator('html')).not.toHaveAttribute('data-ready');
  release();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(page.locator('html')).toHaveAttribute('data-ready');
});
