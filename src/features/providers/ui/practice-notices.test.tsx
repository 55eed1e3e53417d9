import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const practice = recordedFor('doctor')['providers.mine'];

test('shows no notice to a specialist whose license doesn’t end soon', async () => {
  await openPage('/practice', { as: 'doctor' });
  await expect.element(page.getByLabelText('Title')).toBeVisible();
  await expect.element(page.getByText('Your license or ordination')).not.toBeInTheDocument();
});

for (const [state, said] of [
  ['ending', 'Your license or ordination expires soon'],
  ['ended', 'Your license or ordination has expired'],
] as const)
  test(`tells a specialist: ${said}`, async () => {
    const licenseEnd = { until: '2026-12-20', state };
    await openPage('/practice', { as: 'doctor', answers: { 'providers.mine': { ...practice, licenseEnd } } });
    await expect.element(page.getByText(said)).toBeVisible();
    await expectFair(said);
  });

test('shows administrators ending licenses and specialists hidden by ended ones', async () => {
  const ending = {
    id: practice.id,
    name: 'Dr. Licensed Winter',
    title: 'Psychologist',
    until: '2026-12-20',
    state: 'ending',
    renewing: false,
  };
  const ended = {
    ...ending,
    id: '01a20ca3-0000-7000-8000-000000000001',
    name: 'Dr. Hidden Winter',
    state: 'ended',
    renewing: true,
  };
  await openPage('/admin/settings?tab=providers', {
    as: 'admin',
    answers: { 'providers.licenses.list': [ended, ending] },
  });
  const entries = page
    .getByRole('region', { name: 'Expiring licenses and ordinations' })
    .getByRole('listitem');
  await expect.element(entries.filter({ hasText: 'Dr. Licensed Winter' })).toMatchTextContent('Expires');
  await expect
    .element(entries.filter({ hasText: 'Dr. Hidden Winter' }))
    .toMatchTextContent('hidden from the directory');
});

test('styles the buttons for credentials and applications alike', async () => {
  await openPage('/admin/settings?tab=providers', { as: 'admin' });
  const credentials = page.getByRole('article', { name: /’s credentials$/ }).first();
  const application = page.getByRole('article', { name: /’s application$/ }).first();
  for (const name of [/^Approve/, /^Reject/]) {
    const looks: object[] = [];
    for (const entry of [credentials, application]) {
      const button = entry.getByRole('button', { name });
      await expect.element(button).toBeVisible();
      const { color, backgroundColor, borderColor, fontSize, padding, height } = getComputedStyle(
        button.element(),
      );
      looks.push({ color, backgroundColor, borderColor, fontSize, padding, height });
    }
    expect(looks[0], String(name)).toEqual(looks[1]);
  }
});
