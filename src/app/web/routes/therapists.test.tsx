import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const { specialists } = recordedFor('guest')['booking.finding.find'];

/** As avatars show them: of the first and the last name. */
function initials(name: string): string {
  const words = name.replace(/^(Dr\.|Pastor) /, '').split(' ');
  return words.length > 1 ? `${words[0]![0]}${words.at(-1)![0]}` : words[0]![0]!;
}

test('introduces every specialist in full', async () => {
  const starts = ['2026-12-02T15:00:00Z', '2026-12-02T16:00:00Z'];
  await openPage('/therapists', {
    answers: {
      // The last has no open time.
      'booking.finding.nextStarts': specialists.map(({ id }, index) => ({
        providerId: id,
        durationMinutes: 60,
        starts: index < specialists.length - 1 ? starts : [],
      })),
    },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Our specialists');
  const profiles = page.getByRole('main').getByRole('article');
  expect(profiles.elements()).toHaveLength(specialists.length);
  for (const [index, one] of specialists.entries()) {
    const profile = profiles.nth(index);
    await expect.element(profile.getByRole('heading', { level: 2 })).toHaveTextContent(one.name);
    const reviews =
      one.reviewCount > 0 ? [one.rating.toFixed(1), `${one.reviewCount} reviews`] : ['no reviews yet'];
    for (const text of [
      initials(one.name),
      one.title,
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
    const none = profile.getByText('No open times at present');
    await expect.element(index < specialists.length - 1 ? times.first() : none).toBeVisible();
    await expect
      .element(profile.getByRole('button', { name: `Book Session with ${one.name}` }))
      .toBeVisible();
  }
  const back = page.getByRole('main').getByRole('link', { name: 'Back to Home' });
  await expect.element(back).toHaveAttribute('href', '/');
  await expectFair('the specialists');
});
