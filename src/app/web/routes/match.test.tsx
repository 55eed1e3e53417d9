import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';

const nextStarts = ({ providerIds }: { providerIds: string }) =>
  providerIds.split(',').map((providerId) => ({
    providerId,
    durationMinutes: 60,
    starts: ['2026-11-26T12:00:00Z', '2026-11-26T13:00:00Z', '2026-11-26T14:00:00Z'],
  }));

const open = () => openPage('/therapists/match', { answers: { 'specialistSearch.nextStarts': nextStarts } });
const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
const skip = page.getByRole('button', { name: 'Skip' });

test('asks up to five questions, and explains each match in a sentence', { tags: ['long'] }, async () => {
  await open();
  await page.getByRole('radio', { name: 'For me' }).click();
  await expectFair('the first question');
  await next();
  await expect
    .element(page.getByRole('heading', { name: 'What weighs on you most right now?' }))
    .toHaveFocus();
  await page.getByRole('radio', { name: /lost someone/ }).click();
  await next();
  await expect.element(page.getByText('wiser to start with a licensed doctor')).toBeVisible();
  await page.getByRole('radio', { name: /^A pastor/ }).click();
  await expectFair('doctor or pastor');
  await next();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect.element(page.getByRole('radio', { name: /^A pastor/ })).toBeChecked();
  await next();
  await page.getByRole('radio', { name: /At the center/ }).click();
  await next();
  await page.getByRole('radio', { name: 'Online Video Call' }).click();
  await page.getByRole('button', { name: 'See who fits' }).click();

  const suggested = page.getByRole('region', { name: 'Specialists who may fit' });
  await expect.element(suggested.getByRole('heading', { name: 'Specialists who may fit' })).toHaveFocus();
  await expect
    .element(suggested)
    .toMatchTextContent(
      'Pastor Daniel Reyes offers Comfort & Healing, is a pastor, as you asked, brings in faith as much as you’d like, and meets by video.',
    );
  await expect
    .element(suggested.getByRole('button', { name: /^Book \w+, .* with Pastor Daniel Reyes$/ }))
    .toHaveLength(3);
  await expect.element(suggested).not.toMatchTextContent('Licensed clinician');
  await expectFair('who may fit');
  await suggested.getByRole('link', { name: 'See all matches' }).click();
  await expect.poll(address).toBe('/therapists?care=grief&kind=pastor&faith=central&type=online');
});

test(
  'shows crisis lines immediately after a suicidal answer, and sends nothing',
  { tags: ['long'] },
  async () => {
    await open();
    const before = askedFor('specialistSearch.find').length;
    await skip.click();
    await page.getByRole('radio', { name: /ending my life/ }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Please talk to someone now' });
    await expect
      .element(alert.getByRole('link', { name: /Call or text 988/ }))
      .toHaveAttribute('href', 'tel:988');
    await expect.element(alert.getByRole('link', { name: /741741/ })).toBeVisible();
    await expectFair('the crisis lines');
    await expect.poll(() => askedFor('specialistSearch.find')).toHaveLength(before);
    await next();
    await expect.element(page.getByRole('radio', { name: /^A doctor/ })).toBeVisible();
    for (let step = 3; step <= 5; step += 1) await skip.click();
    await expect
      .element(page.getByText('From what you’ve shared, a licensed doctor may be the better place to start.'))
      .toBeVisible();
    await expect.element(page.getByRole('link', { name: /Call or text 988/ }).first()).toBeVisible();
    // Only the requested service is ever sent.
    await expect
      .element(page.getByRole('listitem').filter({ hasText: 'Licensed clinician' }).first())
      .toBeVisible();
    const sent = JSON.stringify([
      ...askedFor('specialistSearch.find'),
      ...askedFor('specialistSearch.nextStarts'),
    ]);
    expect(sent).toContain('individuals');
    expect(sent).not.toMatch(/life|weight|whom/);
    await expect.poll(address).toBe('/therapists/match');
  },
);

test('can be skipped by keyboard, and restarted', { tags: ['long'] }, async () => {
  await open();
  for (let step = 1; step <= 5; step += 1) await press(skip);
  await expect
    .element(page.getByRole('listitem').filter({ hasText: 'is one of our specialists' }))
    .toHaveLength(3);
  await press(page.getByRole('button', { name: 'Start over' }));
  await expect.element(page.getByText('Question 1 of 5')).toBeVisible();
});
