import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const main = page.getByRole('main');

test('a specialist’s page is accessible', async () => {
  await openPage('/therapists/dr-sarah-whitfield');
  await expect.element(main.getByRole('button', { name: /^Book \w+, / }).first()).toBeVisible();
  await expectFair('a specialist’s page');
});

test('a specialist’s page shows their bio, credentials, services and free times', async () => {
  await openPage('/therapists/dr-sarah-whitfield');
  await expect.element(page.getByText('Licensed clinicians are bound by confidentiality law')).toBeVisible();
  for (const said of [
    'Clinical Psychologist',
    'Doctor of Psychology (PsyD)',
    'Cognitive and trauma-informed therapy',
    'English, Spanish',
    'Anglican, Non-denominational',
    'As much or as little as you like',
    'Online, by video',
    '60 minutes · $120',
    'License: New York State Board for Psychology, New York',
    'Valid until',
  ])
    await expect.element(main.getByText(said).first()).toBeVisible();
  await expect.element(main).not.toMatchTextContent('PSY-DEMO');
  await expect
    .element(main.getByRole('region', { name: 'Reviews' }).getByRole('listitem').first())
    .toBeVisible();
  await main.getByRole('button', { name: 'Book Session with Dr. Sarah Whitfield' }).click();
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
});

test('a time on a specialist’s page opens the dialog with it, and fresh times follow the dialog', async () => {
  await openPage('/therapists/dr-sarah-whitfield', { as: 'client' });
  const times = main.getByRole('button', { name: /^Book \w+, / });
  const name = (await times.nth(1).findElement()).getAttribute('aria-label')!;
  await times.nth(1).click();
  const dialog = page.getByRole('dialog', { name: 'Book Appointment' });
  await expect
    .element(dialog.getByRole('radio', { name: /\d\d:\d\d [AP]M/, checked: true }))
    .toHaveAccessibleName(/\d\d:\d\d [AP]M/.exec(name)![0]);
  await pressWith(dialog.getByRole('button', { name: 'Cancel' }), { 'specialistSearch.nextStarts': [] });
  await expect.element(main.getByText('See the open times when you book')).toBeVisible();
});

test('shows a not-found page that links back to all specialists', async () => {
  await openPage('/therapists/nobody-at-all', {
    answers: { 'providers.bySlug': refusal(404, 'not_found') },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Specialist not found');
  await expectFair('an unknown specialist');
  await main.getByRole('link', { name: 'All specialists' }).click();
  await expect.poll(address).toBe('/therapists');
});

for (const path of ['/', '/service/individuals'])
  test(`cards on ${path} show licensed or ordained, with an explanation`, async () => {
    await openPage(path, { answers: { 'resources.related': [], 'specialistSearch.nextStarts': [] } });
    await expect.element(main.getByText('Licensed clinician').first()).toBeVisible();
    const means = main.getByText('Pastoral counselors aren’t health care providers').first();
    await expect.element(means).not.toBeVisible();
    const ordained = [...document.querySelectorAll('main summary')].find((summary) =>
      summary.textContent.includes('Ordained pastoral counselor'),
    );
    (ordained as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(means).toBeVisible();
  });

test('a card links to its specialist’s page', async () => {
  await openPage('/');
  await main.getByRole('link', { name: 'Pastor Daniel Reyes', exact: true }).click();
  await expect.poll(address).toBe('/therapists/pastor-daniel-reyes');
});

test('asks a guest to sign in to a practice', async () => {
  await openPage('/practice');
  await page
    .getByRole('dialog', { name: "You're almost there!" })
    .getByRole('button', { name: 'Close' })
    .click();
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Your practice');
});

test('tells a client which permission a practice needs', async () => {
  await openPage('/practice', { as: 'client' });
  await expect.element(main).toMatchTextContent('manage_own_availability');
});

test('the booking dialog shows each specialist’s kind', async () => {
  await openPage('/?book=&service=grief', { as: 'client' });
  const pastor = page.getByRole('dialog').getByRole('button', { name: /Pastor Daniel Reyes/ });
  await expect.element(pastor).toMatchTextContent('Ordained pastoral counselor');
  await expect.element(pastor).toMatchTextContent('not by health care law');
});

const ownName = ({ id }: { id: string }) => {
  const { name, slug } = recordedFor('guest')['specialistSearch.find'].specialists.find(
    (one) => one.id === id,
  )!;
  return { ...recordedFor('client')['providers.get'], id, name, slug };
};

test(
  'every Book Session opens the dialog for its own specialist, or the first',
  { tags: ['long'] },
  async () => {
    const dialog = page.getByRole('dialog', { name: 'Book Appointment' });
    const expectWith = async (name: string) => {
      await expect.element(dialog).toMatchTextContent(`with ${name}`);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect.element(dialog).not.toBeInTheDocument();
    };
    const [first, second] = ['Dr. Sarah Whitfield', 'Pastor Daniel Reyes'];
    const asked = { 'providers.get': ownName };
    await openPage('/services', { as: 'client', answers: asked });
    await page.getByRole('button', { name: 'Book Session for Comfort & Healing' }).click();
    await expectWith(first);
    await openPage('/service/grief', {
      as: 'client',
      answers: { ...asked, 'resources.related': [], 'specialistSearch.nextStarts': [] },
    });
    await page.getByRole('button', { name: `Book Session with ${second}` }).click();
    await expectWith(second);
    await page.getByRole('button', { name: 'Book Session Now' }).click();
    await expectWith(first);
    await openPage('/therapists', {
      as: 'client',
      answers: { ...asked, 'specialistSearch.nextStarts': [] },
    });
    await page.getByRole('button', { name: `Book Session with ${second}` }).click();
    await expectWith(second);
  },
);

test('tells a specialist who clicks Book why they can’t', async () => {
  await openPage('/', { as: 'doctor' });
  await page.getByRole('button', { name: 'Book Consultation' }).nth(1).click();
  const dialog = page.getByRole('dialog', { name: 'Booking' });
  await expect.element(dialog).toMatchTextContent('Access denied. Required permission: book_appointments');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('starts a booking with service and specialist on the home of a client without sessions', async () => {
  await openPage('/home', { as: 'client', answers: { 'appointments.mine': [], 'providers.get': ownName } });
  await expect.element(page.getByText('No upcoming appointments')).toBeVisible();
  await page.getByRole('button', { name: 'Schedule an Appointment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Book Appointment' });
  await dialog.getByLabelText('Service').selectOptions('Faith Strengthening');
  await dialog.getByRole('button', { name: /Pastor Samuel Adeyemi/ }).click();
  await expect.element(dialog).toMatchTextContent('with Pastor Samuel Adeyemi');
});
