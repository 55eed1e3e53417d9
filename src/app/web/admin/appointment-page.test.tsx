import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const [first] = recordedFor('admin')['appointments.administration.find'].appointments;
const opened = {
  ...first!,
  bookingId: '0190a0a0-0000-7000-8000-000000000001',
  bookedAt: '2026-11-20T09:00:00Z',
  clientTimeZone: 'America/Los_Angeles',
  place: null,
  reminders: [
    {
      id: '0190a0a0-0000-7000-8000-000000000002',
      name: first!.client.name,
      dueAt: '2026-11-21T09:00:00Z',
      sentAt: '2026-11-21T09:00:00Z',
    },
  ],
};
const none = { entries: [], more: false, manyPeople: false };
const booked = {
  id: '0190a0a0-0000-7000-8000-000000000003',
  at: '2026-11-20T09:00:00Z',
  actor: { kind: 'person', id: first!.client.id, name: first!.client.name, email: first!.client.email },
  action: 'booking.booked',
  category: 'service_management',
  subject: { kind: 'booking', id: opened.bookingId, name: first!.client.name },
  details: { by: 'client', sessions: 1 },
  address: null,
  success: true,
};

const main = page.getByRole('main');
const acts = page.getByRole('group', { name: 'Actions' });
const moving = page.getByRole('dialog', { name: 'Reschedule' });
const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });

async function openAppointment(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage(`/admin/appointments/${first!.id}`, {
    as: 'admin',
    answers: { 'appointments.oversight.appointment': opened, 'audit.list': none, ...answers },
  });
}

test('shows who meets where and when, in each person’s time zone, and the history', async () => {
  await openAppointment({
    'appointments.oversight.appointment': {
      ...opened,
      sessionType: 'in-person',
      place: { name: 'Grace House', address: '12 Elm St' },
    },
    'audit.list': { ...none, entries: [booked] },
  });
  for (const said of [
    'Confirmed',
    '9:00 AM – 10:15 AM',
    'Los Angeles',
    'In-Person',
    'Grace House, 12 Elm St',
    'Sent Nov 21, 2026',
  ])
    await expect.element(main).toMatchTextContent(said);
  for (const { id, name } of [first!.client, first!.provider])
    await expect
      .element(main.getByRole('link', { name }).first())
      .toHaveAttribute('href', `/admin/people/${id}`);
  await expect.element(page.getByRole('region', { name: 'History' })).toMatchTextContent('By: client');
  expect(askedFor('audit.list')).toMatchObject([{ about: [first!.id, opened.bookingId] }]);
  await expectFair('an appointment’s page');
});

test('offers no actions for a past appointment without reminders', async () => {
  await openAppointment({
    'appointments.oversight.appointment': { ...opened, status: 'completed', actions: [], reminders: [] },
  });
  await expect.element(main.getByRole('heading', { level: 1 })).toMatchTextContent('Completed');
  await expect.element(page.getByRole('region', { name: 'History' })).toMatchTextContent('No entries yet');
  expect(acts.getByRole('button').elements()).toEqual([]);
});

test('retries what couldn’t be loaded', async () => {
  await openAppointment({ 'appointments.oversight.appointment': unreachable });
  const again = main.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await pressWith(again, { 'appointments.oversight.appointment': opened });
  await expect.element(acts.getByRole('button', { name: 'Reschedule' })).toBeVisible();
});

test('says when there is no such appointment', async () => {
  await openAppointment({ 'appointments.oversight.appointment': refusal(404, 'not_found', 'appointment') });
  await expect
    .element(main.getByRole('heading', { level: 1 }))
    .toHaveTextContent('We couldn’t find this appointment');
  expect(askedFor('audit.list')).toEqual([]);
});

test('moves an appointment by keyboard once a reason is given', { tags: ['long'] }, async () => {
  const start = '2026-12-09T15:00:00Z';
  await openAppointment({
    'appointments.administration.freeStarts': ({ from, to }: { from: string; to: string }) => ({
      timeZone: first!.provider.timeZone,
      starts: start >= from && start < to ? [start] : [],
      places: [],
    }),
  });
  await press(acts.getByRole('button', { name: 'Reschedule' }));
  await expect.element(moving).toBeVisible();
  await press(moving.getByRole('grid').getByRole('button', { name: /Wednesday, December 9/ }));
  await press(moving.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio').first(), ' ');
  await expectFair('an appointment that is about to be moved');
  await press(moving.getByRole('button', { name: 'Reschedule appointment' }));
  await expect.element(moving.getByText('Enter a reason.')).toBeVisible();
  await expect.element(moving.getByLabelText('Reason')).toHaveFocus();
  expect(askedFor('appointments.administration.reschedule')).toEqual([]);
  await userEvent.keyboard('The specialist is at a funeral.');
  answer({ 'appointments.administration.reschedule': { ...first!, startsAt: start, sequence: 1 } });
  await press(moving.getByRole('button', { name: 'Reschedule appointment' }));
  await expect.element(page.getByText('Appointment rescheduled').first()).toBeVisible();
  await expect.element(moving).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('appointments.administration.reschedule'))
    .toMatchObject([
      { appointmentId: first!.id, sequence: 0, startsAt: start, reason: 'The specialist is at a funeral.' },
    ]);
});

test('asks for a reason before canceling, and reports a concurrent change', { tags: ['long'] }, async () => {
  await openAppointment({
    'appointments.administration.cancel': refusal(409, 'conflict', 'changed_meanwhile'),
  });
  await acts.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect.element(question).toMatchTextContent(`${first!.client.name} with ${first!.provider.name}`);
  const cancel = question.getByRole('button', { name: 'Cancel appointment' });
  await cancel.click();
  await expect.element(question.getByText('Enter a reason.')).toBeVisible();
  expect(askedFor('appointments.administration.cancel')).toEqual([]);
  await question.getByLabelText('Reason').fill('I was late.');
  await pressWith(cancel, {
    'appointments.oversight.appointment': { ...opened, status: 'cancelled', actions: [], sequence: 1 },
  });
  await expect
    .element(question.getByRole('alert'))
    .toMatchTextContent('Someone else changed this appointment');
  await expectFair('an appointment that another has cancelled');
  await question.getByRole('button', { name: 'Keep as is' }).click();
  await expect.element(main.getByRole('heading', { level: 1 })).toMatchTextContent('Canceled');
  expect(acts.getByRole('button').elements()).toEqual([]);
});

test('cancels with a reason', async () => {
  await openAppointment({
    'appointments.administration.cancel': { ...first!, status: 'cancelled', actions: [] },
  });
  await acts.getByRole('button', { name: 'Cancel appointment' }).click();
  await question.getByLabelText('Reason').fill('The house is closed.');
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('appointments.administration.cancel'))
    .toMatchObject([{ appointmentId: first!.id, sequence: 0, reason: 'The house is closed.' }]);
});
