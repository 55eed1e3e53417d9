import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const sessions = recordedFor('client')['appointments.mine'];
const ahead = sessions.find(({ actions }) => actions.includes('cancel'))!;
const held = sessions.find(
  ({ status, provider }) => status === 'completed' && provider.id === ahead.provider.id,
)!;
const { name } = ahead.provider;
const card = page.getByRole('article', { name });
const past = page.getByRole('region', { name: 'Past and canceled sessions' });
const booking = page.getByRole('dialog', { name: 'Book Appointment' });

const many = Array.from({ length: 12 }, (_, index) => ({
  ...held,
  id: `01a20ca3-0000-7000-8000-0000000000${10 + index}`,
  startsAt: `2026-11-${22 - index}T14:00:00Z`,
  endsAt: `2026-11-${22 - index}T15:00:00Z`,
}));

function mine(toCome: readonly object[], over: readonly { id: string }[]) {
  return ({ order, lastId }: { order?: string; lastId?: string }) => {
    if (order !== 'descending') return toCome;
    const from = lastId ? over.findIndex(({ id }) => id === lastId) + 1 : 0;
    return over.slice(from, from + 10);
  };
}

test('links to booking when there are no sessions', { tags: ['long'] }, async () => {
  await openPage('/profile?tab=sessions', { as: 'client', answers: { 'appointments.mine': [] } });
  await expect.element(page.getByRole('heading', { name: 'No upcoming sessions' })).toBeVisible();
  await expect.element(page.getByText('Your past sessions will appear here.')).toBeVisible();
  await expectFair('sessions, empty');
  await page.getByRole('button', { name: 'Book a Session' }).click();
  await expect.element(booking).toBeVisible();
});

test('lists a canceled session under past ones, with a link to book again', { tags: ['long'] }, async () => {
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: { 'appointments.mine': mine([ahead], []) },
  });
  await expect.element(card).toMatchTextContent(`${name} will call you at +1 555 010 0101`);
  await expectFair('sessions to come');
  const cancelled = { ...ahead, status: 'cancelled', actions: [] };
  await pressWith(card.getByRole('button', { name: `Actions for the appointment with ${name}` }), {
    'appointments.cancel': cancelled,
    'appointments.mine': mine([cancelled], []),
  });
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await expect.element(page.getByRole('heading', { name: 'No upcoming sessions' })).toBeVisible();
  await expect.element(past).toMatchTextContent('Canceled');
  expect(past.getByRole('button', { name: /^Review/ }).query()).toBe(null);
  await past.getByRole('button', { name: `Book again with ${name}` }).click();
  await expect.element(booking).toMatchTextContent(name);
  await expect.element(booking).toMatchTextContent('Individual Healing');
});

test('reschedules a session to the chosen time', { tags: ['long'] }, async () => {
  const startsAt = '2026-12-09T15:00:00Z';
  const moved = { ...ahead, startsAt, endsAt: '2026-12-09T16:00:00Z', sequence: 1 };
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: {
      'appointments.mine': mine([ahead], []),
      'appointments.freeStarts': { timeZone: 'America/New_York', starts: [startsAt], places: [] },
      'appointments.reschedule': () => {
        answer({ 'appointments.mine': mine([moved], []) });
        return moved;
      },
    },
  });
  await card.getByRole('button', { name: `Actions for the appointment with ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Reschedule' }).click();
  const move = page.getByRole('dialog', { name: 'Reschedule' });
  await move.getByRole('button', { name: 'Reschedule appointment' }).click();
  await expect.element(move.getByText('Choose a time.')).toBeVisible();
  await move
    .getByRole('grid')
    .getByRole('button', { name: /December 9/ })
    .click();
  await move.getByRole('radio').first().click();
  await move.getByRole('button', { name: 'Reschedule appointment' }).click();
  await expect.element(move).not.toBeInTheDocument();
  await expect.element(card).toMatchTextContent('Dec 9');
  await expect
    .poll(() => askedFor('appointments.reschedule'))
    .toMatchObject([{ appointmentId: ahead.id, startsAt }]);
});

test('links to a map for an in-person session', async () => {
  const there = { ...ahead, sessionType: 'in-person', calledAt: null };
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: { 'appointments.mine': mine([there], []) },
  });
  await expect.element(card).toMatchTextContent('New York, NY');
  const map = card.getByRole('link', { name: 'Show on a map (opens in a new tab)' });
  await expect
    .element(map)
    .toHaveAttribute('href', 'https://www.openstreetmap.org/search?query=New%20York%2C%20NY');
  await expect.element(map).toHaveAttribute('rel', 'noreferrer');
});

const review = {
  ...recordedFor('client')['reviews.mine'][0]!,
  appointmentId: many[11]!.id,
  state: 'waiting',
};

test('pages through past sessions, each with its review', async () => {
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: { 'appointments.mine': mine([], many), 'reviews.mine': [review] },
  });
  const items = () => past.getByRole('listitem').elements();
  await expect.poll(items).toHaveLength(10);
  expect(past.getByText('Review pending approval').query()).toBe(null);
  await past.getByRole('button', { name: 'Show earlier sessions' }).click();
  await expect.poll(items).toHaveLength(12);
  await expect.element(past.getByText('Review pending approval')).toBeVisible();
  await expect
    .poll(() => past.getByRole('button', { name: /^Review of the session/ }).elements())
    .toHaveLength(11);
  await expectFair('sessions that are over');
});

test('shows past sessions on a client’s home when expanded', { tags: ['long'] }, async () => {
  await openPage('/home', {
    as: 'client',
    answers: { 'appointments.mine': mine([], many), 'reviews.mine': [] },
  });
  await page.getByText('Past and canceled sessions').click();
  await expect
    .poll(() => page.getByRole('button', { name: /^Review of the session/ }).elements())
    .toHaveLength(10);
  await expect.poll(() => page.getByRole('button', { name: /^Book again/ }).elements()).toHaveLength(10);
});

test('tells an administrator why they have no sessions', async () => {
  await openPage('/profile?tab=sessions', { as: 'admin' });
  await expect
    .element(page.getByRole('tabpanel', { name: 'Sessions' }))
    .toMatchTextContent('view_own_appointments');
  await expectFair('sessions of an administrator');
});

test('shows providers their sessions and reviews, without actions to review or book', async () => {
  const doctor = recordedFor('doctor');
  const theirs = {
    ...doctor['appointments.mine'][0]!,
    startsAt: ahead.startsAt,
    endsAt: ahead.endsAt,
    status: 'confirmed',
  };
  await openPage('/profile?tab=sessions', {
    as: 'doctor',
    answers: { 'appointments.mine': mine([theirs], doctor['appointments.mine'].slice(0, 3)) },
  });
  await expect
    .element(page.getByRole('region', { name: 'Upcoming sessions' }).getByRole('article'))
    .toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'What your clients say' }).getByRole('listitem').first())
    .toBeVisible();
  expect(page.getByRole('button', { name: /^(Review|Book again)/ }).query()).toBe(null);
  await expectFair('sessions of a provider');
});
