import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { deviceZone } from '#/kernel/date-text.ts';
import { answer, askedFor, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { expectNoise } from '../../../../tests/components/noise.ts';

const { specialists } = recordedFor('guest')['specialistSearch.find'];
const zone = deviceZone();
const cards = page.getByRole('main').getByRole('article');
const count = page.getByRole('region', { name: 'Specialists' }).getByRole('status').first();
const language = page.getByLabelText('Language');
const kind = page.getByLabelText('Doctor or pastor');

interface Asked {
  kind?: string;
  language?: string;
  offset?: string;
  limit?: string;
}

function find({ kind: wanted, language: spoken }: Asked) {
  const fitting = specialists.filter(
    (one) => (!wanted || one.kind === wanted) && (!spoken || one.languages.includes(spoken)),
  );
  return { specialists: fitting, more: false, total: fitting.length };
}

const nextStarts = ({ providerIds }: { providerIds: string }) =>
  providerIds.split(',').map((providerId) => ({
    providerId,
    durationMinutes: 60,
    starts: ['2026-11-26T12:00:00Z', '2026-11-26T13:00:00Z'],
  }));

const open = (path: string, more: object = {}) =>
  openPage(path, {
    answers: { 'specialistSearch.find': find, 'specialistSearch.nextStarts': nextStarts, ...more },
  });

test('reads filters from the URL, drops unknown ones, and removes them one by one', async () => {
  await open('/therapists?kind=pastor&language=Spanish&nonsense=1&faith=much&page=zero');
  await expect.element(count).toHaveTextContent('1 specialist');
  await expect.element(cards).toMatchTextContent('Pastor Daniel Reyes');
  await expect.element(kind).toHaveValue('pastor');
  await expect.element(language).toHaveValue('Spanish');
  await page.getByLabelText('Session type').selectOptions('phone');
  await expect.poll(address).toBe('/therapists?kind=pastor&type=phone&language=Spanish');
  await page.getByRole('link', { name: 'Remove the filter “Doctor or pastor: Pastor' }).click();
  await expect.poll(address).toBe('/therapists?type=phone&language=Spanish');
  await expect.element(count).toHaveTextContent('2 specialists');
  await expect.element(page.getByRole('heading', { name: 'Specialists', exact: true })).toHaveFocus();
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect.poll(address).toBe('/therapists');
  await expect.element(page.getByRole('list', { name: 'Active filters' })).not.toBeInTheDocument();
});

test('sorts, and filters by time in the browser’s time zone', async () => {
  await open('/therapists');
  await page.getByLabelText('Availability').selectOptions('Evenings, after 5 PM');
  await expect.poll(address).toBe(`/therapists?time=evenings&zone=${encodeURIComponent(zone)}`);
  await expect.element(page.getByText(/^Times are in your time zone/)).toBeVisible();
  await expect
    .poll(() => askedFor('specialistSearch.find').at(-1))
    .toMatchObject({ time: 'evenings', timeZone: zone });
  await page.getByLabelText('Availability').selectOptions('');
  await page.getByLabelText('Sort by').selectOptions('Soonest available');
  await expect.poll(address).toBe('/therapists?order=soonest');
  await expect.poll(() => askedFor('specialistSearch.find').at(-1)).toMatchObject({ order: 'soonest' });
});

test('suggests a filter to remove when no specialist matches', { tags: ['long'] }, async () => {
  await open(`/therapists?kind=pastor&language=French&time=tomorrow&zone=${zone}`);
  await expect.element(page.getByRole('heading', { name: 'No one matches all your filters' })).toBeVisible();
  await expect.element(page.getByText('at least 24 hours ahead')).toBeVisible();
  await expect.element(count).toHaveTextContent('0 specialists');
  await expectFair('nobody who fits');
  await page.getByRole('link', { name: 'Without “Availability: Today or tomorrow”' }).click();
  await page.getByRole('link', { name: /^Without “Doctor or pastor/ }).click();
  await expect.element(cards.first()).toMatchTextContent('French');
});

test('loads more specialists, and restarts when the filters change', { tags: ['long'] }, async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    ...specialists[0]!,
    id: `01a20ca3-97f5-75c9-83f9-7188b4f0d${100 + index}`,
    slug: `page-${index}`,
  }));
  const byPage = ({ limit }: Asked) => ({
    specialists: many.slice(0, Number(limit ?? 12)),
    more: Number(limit ?? 12) < many.length,
    total: many.length,
  });
  const none = ({ providerIds }: { providerIds: string }) =>
    providerIds.split(',').map((providerId) => ({ providerId, durationMinutes: 60, starts: [] }));
  await open('/therapists?language=English', {
    'specialistSearch.find': byPage,
    'specialistSearch.nextStarts': none,
  });
  const more = page.getByRole('link', { name: 'Show more' });
  await expect.element(cards).toHaveLength(12);
  await expect.element(cards.first()).toMatchTextContent('No open times right now');
  await more.click();
  await expect.element(cards).toHaveLength(24);
  await expect.poll(address).toBe('/therapists?language=English&page=2#page-2');
  await more.click();
  await expect.element(cards).toHaveLength(30);
  await expect.element(more).not.toBeInTheDocument();
  await kind.selectOptions('doctor');
  await expect.poll(address).toBe('/therapists?kind=doctor&language=English');
  await expect.element(cards).toHaveLength(12);
});

test('shows filters in a sheet on phones, by keyboard alone', { tags: ['long'] }, async () => {
  await page.viewport(phone.width, phone.height);
  await open('/therapists');
  const opener = page.getByRole('button', { name: 'Filters' });
  const sheet = page.getByRole('form', { name: 'Filters' });
  await expect.element(sheet).not.toBeInTheDocument();
  await press(opener);
  await expect.element(sheet).toBeVisible();
  await press(sheet.getByLabelText('Doctor or pastor'), '{ArrowDown}{ArrowDown}');
  await expect.poll(address).toBe('/therapists?kind=pastor');
  await press(sheet.getByRole('button', { name: /^Show \d+ specialists?$/ }));
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await press(page.getByRole('link', { name: /^Remove the filter “Doctor or pastor/ }));
  await expect.poll(address).toBe('/therapists');
  opener.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(sheet).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.element(sheet).toBeVisible();
  await expectNoViolation('the sheet of filters');
  await page.viewport(desktop.width, desktop.height);
  await expect.poll(() => sheet.element().matches(':popover-open')).toBe(false);
});

test('keeps the filters when the search fails, and retries', async () => {
  expectNoise(/Failed to fetch/);
  await open('/therapists');
  answer({ 'specialistSearch.find': unreachable });
  await page.getByLabelText('Tradition').selectOptions('Baptist');
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'We couldn’t load the specialists' }))
    .toBeVisible();
  await expect.element(page.getByLabelText('Tradition')).toHaveValue('Baptist');
  await pressWith(page.getByRole('button', { name: 'Try again' }), {
    'specialistSearch.find': { specialists: [specialists[3]], more: false, total: 1 },
  });
  await expect.element(cards.first()).toMatchTextContent('Pastor Samuel Adeyemi');
});

test('is accessible with active filters', async () => {
  await open(`/therapists?kind=doctor&time=week&zone=${zone}&order=soonest`);
  await expect.element(page.getByRole('button', { name: /^Book \w+, / }).first()).toBeVisible();
  await expectFair('the specialists page with filters');
});

function initials(name: string): string {
  const words = name.replace(/^(Dr\.|Pastor) /, '').split(' ');
  return words.length > 1 ? `${words[0]![0]}${words.at(-1)![0]}` : words[0]![0]!;
}

test('opens the card that a link names, and others on request', async () => {
  const [, second] = specialists;
  await open(`/therapists#${second!.id}`);
  await expect.element(cards.nth(1).getByRole('heading', { name: 'Approach' })).toBeVisible();
  await expect.element(cards.nth(1)).toMatchTextContent('What you say is held under');
  await expect.element(cards.first().getByRole('heading', { name: 'Approach' })).not.toBeInTheDocument();
  await cards.first().getByText(`About ${specialists[0]!.name}`, { exact: true }).click();
  await expect.element(cards.first().getByRole('heading', { name: 'Approach' })).toBeVisible();
  await expect
    .element(cards.first().getByRole('link', { name: `View Full Profile of ${specialists[0]!.name}` }))
    .toHaveAttribute('href', `/therapists/${specialists[0]!.slug}`);
  await expectFair('a specialist with the details open');
});

test('fits two specialists with times and buttons onto a phone’s screen', async () => {
  await page.viewport(phone.width, phone.height);
  await open('/therapists');
  await expect
    .element(
      cards
        .first()
        .getByRole('button', { name: /^Book \w+, / })
        .first(),
    )
    .toBeVisible();
  for (const card of cards.elements()) expect(card.getBoundingClientRect().height).toBeLessThanOrEqual(400);
});

test('shows every specialist’s full introduction', async () => {
  const starts = ['2026-12-02T15:00:00Z', '2026-12-02T16:00:00Z'];
  await openPage('/therapists', {
    answers: {
      'specialistSearch.nextStarts': specialists.map(({ id }, index) => ({
        providerId: id,
        durationMinutes: 60,
        starts: index < specialists.length - 1 ? starts : [],
      })),
    },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Our specialists');
  const profiles = page.getByRole('main').getByRole('article');
  await expect.poll(() => profiles.elements()).toHaveLength(specialists.length);
  for (const [index, one] of specialists.entries()) {
    const profile = profiles.nth(index);
    await expect.element(profile.getByRole('heading', { level: 2 })).toHaveTextContent(one.name);
    const reviews =
      one.reviewCount > 0 ? [one.rating.toFixed(1), `${one.reviewCount} reviews`] : ['no reviews yet'];
    for (const text of [
      initials(one.name),
      one.title,
      one.kind === 'doctor' ? 'Licensed clinician' : 'Ordained pastoral counselor',
      ...reviews,
      one.bio,
      one.approach,
      one.experience,
      one.location,
      one.languages.join(', '),
      ...one.education,
    ])
      await expect.element(profile).toMatchTextContent(text);
    expect(
      profile
        .getByRole('list', { name: 'Specialties' })
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(one.specialties);
    profile.getByRole('heading', { name: 'Availability' }).element().scrollIntoView();
    const times = profile.getByRole('button', { name: /^Book \w+, \w+ \d+, \d\d:\d\d [AP]M with / });
    const none = profile.getByText('No open times right now');
    await expect.element(index < specialists.length - 1 ? times.first() : none).toBeVisible();
    await expect
      .element(profile.getByRole('button', { name: `Book Session with ${one.name}` }))
      .toBeVisible();
  }
  const back = page.getByRole('main').getByRole('link', { name: 'Back to Home' });
  await expect.element(back).toHaveAttribute('href', '/');
  await expectFair('the specialists');
});

test('keeps names whole on phones with text at 200%', async () => {
  await page.viewport(phone.width, phone.height);
  const { style } = document.documentElement;
  style.fontSize = '32px';
  onTestFinished(() => void style.removeProperty('font-size'));
  await openPage('/therapists');
  const name = page.getByRole('link', { name: 'Dr. Sarah Whitfield', exact: true });
  await expect.element(name).toBeVisible();
  const word = document.createRange();
  const text = name.element().firstChild!;
  word.setStart(text, 'Dr. Sarah '.length);
  word.setEnd(text, text.textContent!.length);
  expect(new Set([...word.getClientRects()].map(({ top }) => top)).size).toBe(1);
});
