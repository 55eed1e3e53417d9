import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { ResourceCard } from '../library/contract.ts';

const all = recordedFor('guest')['resources.list'].items as ResourceCard[];

/** Filters by title and category, like the server. */
const searching = {
  'resources.list': ({ q = '', category }: { q?: string; category?: string }) => {
    const items = all.filter(
      (one) => one.title.toLowerCase().includes(q) && (!category || one.category === category),
    );
    return { items, next: null, total: items.length };
  },
};

const cards = page
  .getByRole('main')
  .getByRole('listitem')
  .filter({ has: page.getByRole('heading') });
const search = page.getByRole('searchbox', { name: 'Search resources' });
const featured = page.getByRole('heading', { name: 'Featured Resources' });
const count = page.getByRole('status').filter({ hasText: /resource/ });

test('shows featured resources only without a search and in category All', { tags: ['long'] }, async () => {
  await openPage('/resources', { answers: searching });
  await expect.element(featured).toBeVisible();
  const buttons = page.getByRole('group', { name: 'Category' }).getByRole('button');
  expect(buttons.elements().map(({ textContent }) => textContent)).toEqual([
    'All',
    'Individual Healing',
    'Family & Relationships',
    'Youth & Teen Support',
    'Grief Support',
    'Spiritual Struggles',
  ]);
  await expectFair('the library');
  await page.getByRole('button', { name: 'Grief Support' }).click();
  await expect.poll(address).toBe('/resources?category=grief-support');
  await expect.element(featured).not.toBeInTheDocument();
  const inGrief = all.filter(({ category }) => category === 'grief-support').length;
  await expect.element(count).toHaveTextContent(`${inGrief} resources`);
  await expect.poll(() => cards.elements()).toHaveLength(inGrief);
  for (const card of cards.elements()) expect(card.textContent).toContain('Grief Support');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect.element(featured).toBeVisible();
  await search.fill('forgiving');
  await expect.element(featured).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.element(featured).toBeVisible();
  await expect.element(search).toHaveFocus();
});

test('shows the number of results and keeps the search in the URL', async () => {
  await openPage('/resources', { answers: searching });
  await search.fill('forgiving');
  await expect.poll(address).toBe('/resources?q=forgiving');
  await expect.element(count).toHaveTextContent('1 resource');
  await expect.element(cards.getByRole('heading', { name: 'Forgiving in Small Steps' })).toBeVisible();
  await expectFair('a search');
});

test('opens with the search from its URL', async () => {
  await openPage('/resources?q=forgiving', { answers: searching });
  await expect.element(search).toHaveValue('forgiving');
  await expect.element(count).toHaveTextContent('1 resource');
});

for (const [what, q] of [
  ['control characters', '%01%02%00'],
  ['ten thousand letters', 'x'.repeat(10_000)],
] as const)
  test(`searches with a URL containing ${what}`, async () => {
    await openPage(`/resources?q=${q}`, { answers: searching });
    await expect
      .element(count.or(page.getByRole('heading', { name: 'No resources found' })).first())
      .toBeVisible();
    await search.fill('forgiving');
    await expect.element(count).toHaveTextContent('1 resource');
  });

test('shows an empty state with a link back to all', { tags: ['long'] }, async () => {
  await openPage('/resources', { answers: searching });
  await search.fill('xyzzyplugh');
  await expect.element(page.getByRole('heading', { name: 'No resources found' })).toBeVisible();
  await expect.element(page.getByText('Try adjusting your search or category filter')).toBeVisible();
  await expectFair('no resources');
  await page.getByRole('button', { name: 'Show all resources' }).click();
  await expect.element(search).toHaveValue('');
  await expect.element(featured).toBeVisible();
});

test('keeps input when a search fails, and retries', { tags: ['long'] }, async () => {
  await openPage('/resources');
  answer({ 'resources.list': unreachable });
  await search.fill('prayer');
  await expect.element(page.getByRole('alert').getByText('We couldn’t load the resources')).toBeVisible();
  await expect.element(search).toHaveValue('prayer');
  await expect.element(page.getByText('Check your connection and try again. What you')).toBeVisible();
  await expectNoViolation('a search that failed');
  await pressWith(page.getByRole('button', { name: 'Try again' }), {
    'resources.list': refusal(503, 'unavailable'),
  });
  await expect.element(page.getByText('Something went wrong on our side')).toBeVisible();
  await pressWith(page.getByRole('button', { name: 'Try again' }), {
    'resources.list': { items: all.slice(0, 2), next: null, total: 2 },
  });
  await expect.element(count).toHaveTextContent('2 resources');
});

test('shows type, category, author, description, length, rating and downloads on a card', async () => {
  const card = (more: Partial<ResourceCard>): ResourceCard => ({ ...all[0]!, featured: false, ...more });
  const items = [
    card({ id: crypto.randomUUID(), title: 'A book', type: 'book', rating: null, ratingCount: 0 }),
    card({ id: crypto.randomUUID(), title: 'A video', type: 'video', downloadCount: 0 }),
    card({ id: crypto.randomUUID(), title: 'A recording', type: 'audio', durationMinutes: 12 }),
    card({ id: crypto.randomUUID(), title: 'A devotional', type: 'devotional', downloadCount: 1 }),
  ];
  await openPage('/resources', {
    answers: { 'resources.list': { items, next: null, total: 4 }, 'resources.featured': [] },
  });
  const names = { book: 'Book', video: 'Video', audio: 'Audio', devotional: 'Devotional' };
  for (const { title, type, author, description } of items) {
    const shown = cards.filter({ hasText: title });
    await expect.element(shown.getByText(`${names[type]} · Grief Support`)).toBeVisible();
    await expect.element(shown.getByText(`by ${author}`)).toBeVisible();
    await expect.element(shown.getByText(description)).toBeVisible();
    await expect.element(shown.getByRole('button', { name: `Get ${title}` })).toBeVisible();
  }
  await expect.element(cards.filter({ hasText: 'A book' }).getByText('Not rated yet').first()).toBeVisible();
  await expect
    .element(cards.filter({ hasText: 'A video' }).getByText('4.5 out of 5 stars').first())
    .toBeVisible();
  await expect
    .element(cards.filter({ hasText: 'A video' }).getByText('Not downloaded yet').first())
    .toBeVisible();
  await expect.element(cards.filter({ hasText: 'A recording' }).getByText('12 min').first()).toBeVisible();
  await expect
    .element(cards.filter({ hasText: 'A devotional' }).getByText('1 download').first())
    .toBeVisible();
});

test('asks guests to sign in for resources and favorites', async () => {
  await openPage('/resources?q=forgiving', { answers: searching });
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await cards.getByRole('button', { name: 'Get' }).click();
  await expect.element(prompt.getByText('growth').first()).toBeVisible();
  await prompt.getByRole('button', { name: 'Close' }).click();
  await cards.getByRole('button', { name: /^Add .* to favorites/ }).click();
  await expect.element(prompt).toBeVisible();
  expect(askedFor('resources.take')).toEqual([]);
  expect(askedFor('resources.favourite')).toEqual([]);
});

test('saves the favorite a guest signed in for, and focuses its heart', { tags: ['long'] }, async () => {
  await openPage('/resources?q=forgiving', { answers: searching });
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await press(cards.getByRole('button', { name: /^Add .* to favorites/ }));
  await tabTo(prompt.getByLabelText('Email', { exact: true }));
  await userEvent.keyboard('hannah@italk.test');
  await tabTo(prompt.getByLabelText('Password', { exact: true }));
  answer({
    'POST /api/auth/sign-in/email': () => {
      answer({ ...recordedFor('client'), ...searching, 'resources.favourite': { favourite: true } });
      return { signedIn: true };
    },
  });
  await userEvent.keyboard('peace-be-with-you{Enter}');
  await expect.element(prompt).not.toBeInTheDocument();
  await expect.element(cards.getByRole('button', { name: /^Remove .* from favorites/ })).toHaveFocus();
  await expect.poll(() => askedFor('resources.favourite')).toMatchObject([{ favourite: true }]);
});

test('searches, saves a favorite and gets a resource by keyboard alone', { tags: ['long'] }, async () => {
  await openPage('/resources', {
    as: 'client',
    answers: {
      ...searching,
      'resources.favourite': { favourite: true },
      'resources.take': { version: 1, form: 'article', body: 'Words.' },
    },
  });
  await tabTo(search);
  await userEvent.keyboard('forgiving');
  await expect.element(count).toHaveTextContent('1 resource');
  await press(page.getByRole('button', { name: 'Family & Relationships' }), ' ');
  await expect.poll(address).toBe('/resources?q=forgiving&category=family-relationships');
  await press(cards.getByRole('button', { name: /^Add .* to favorites/ }));
  await expect.element(cards.getByRole('button', { name: /^Remove .* from favorites/ })).toHaveFocus();
  await press(cards.getByRole('button', { name: 'Get' }));
  const [{ id: resourceId }] = all.filter(({ title }) => title === 'Forgiving in Small Steps') as [
    ResourceCard,
  ];
  await expect.poll(address).toBe(`/resources/${resourceId}`);
  await expect.poll(() => askedFor('resources.favourite')).toEqual([{ resourceId, favourite: true }]);
  await expect.poll(() => askedFor('resources.take')).toMatchObject([{ resourceId }]);
});

test('shows a favorite wherever its resource is', async () => {
  const [one] = all.filter(({ featured: isFeatured }) => isFeatured);
  const name = `Remove ${one!.title} from favorites`;
  let favourite = false;
  const card = () => ({ ...one!, favourite });
  await openPage('/resources', {
    as: 'client',
    answers: {
      'resources.list': () => ({ items: [card()], next: null, total: 1 }),
      'resources.featured': () => [card()],
      'resources.favourite': (input: { favourite: boolean }) => {
        ({ favourite } = input);
        return input;
      },
    },
  });
  await cards
    .getByRole('button', { name: /^Add .* to favorites/ })
    .first()
    .click();
  await expect.poll(() => cards.getByRole('button', { name }).elements()).toHaveLength(2);
  await cards.getByRole('button', { name }).last().click();
  await expect.poll(() => cards.getByRole('button', { name }).elements()).toHaveLength(0);
});

test('reverts the heart when a favorite can’t be saved', async () => {
  await openPage('/resources?q=forgiving', {
    as: 'client',
    answers: { ...searching, 'resources.favourite': refusal(404, 'not_found', 'resource') },
  });
  await cards.getByRole('button', { name: /^Add .* to favorites/ }).click();
  await expect.element(page.getByText('We couldn’t update your favorites')).toBeVisible();
  await expect.element(cards.getByRole('button', { name: /^Add .* to favorites/ })).toBeVisible();
});
