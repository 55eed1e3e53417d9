import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const found = recordedFor('admin')['appointments.administration.find'];
const [first] = found.appointments;
const one = { appointments: [first], more: false, manyPeople: false };
const none = { appointments: [], more: false, manyPeople: false };

const table = page.getByRole('table');
const row = table.getByRole('row').filter({ hasText: first!.client.email }).first();
const words = page.getByLabelText('Name, email or appointment ID');
const moving = page.getByRole('dialog', { name: 'Reschedule' });
const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });
const nothing = page.getByText('No matching appointments');
const actions = row.getByRole('button', { name: /^Actions for/ });

async function openAppointments(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/appointments', {
    as: 'admin',
    answers: { 'appointments.administration.find': one, ...answers },
  });
}

test('shows each appointment’s service, format, length and status, and is accessible', async () => {
  await openAppointments({ 'appointments.administration.find': found });
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Appointments');
  for (const said of ['Uniting Families in Faith', 'Phone Call, 75 minutes', 'Confirmed'])
    await expect.element(row).toMatchTextContent(said);
  await expectFair('all appointments');
});

test('shows a retry when appointments can’t be loaded', async () => {
  await openAppointments({ 'appointments.administration.find': unreachable });
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  answer({ 'appointments.administration.find': one });
  await again.click();
  await expect.element(row).toBeVisible();
});

test('searches by words or id, and keeps names out of the URL', async () => {
  await openAppointments();
  await words.fill('hannah');
  await expect
    .poll(() => askedFor('appointments.administration.find').at(-1))
    .toMatchObject({ words: 'hannah' });
  await words.fill(first!.id);
  await expect
    .poll(() => askedFor('appointments.administration.find').at(-1))
    .toMatchObject({ appointmentId: first!.id });
  await expect.poll(address).toBe('/admin/appointments');
});

test('shows only sessions with suspended providers, until the filter is cleared', async () => {
  await openPage('/admin/appointments?provider=suspended', {
    as: 'admin',
    answers: { 'appointments.administration.find': one },
  });
  await expect.element(page.getByText('Sessions with suspended providers')).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.administration.find').at(-1))
    .toMatchObject({ suspended: true });
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(address).toBe('/admin/appointments');
  await expect
    .poll(() => askedFor('appointments.administration.find').at(-1))
    .not.toHaveProperty('suspended');
});

test('says when no appointment matches, and clears the filters on request', async () => {
  await openAppointments();
  await expect.element(row).toBeVisible();
  answer({ 'appointments.administration.find': none });
  await page.getByLabelText('Status').selectOptions('Canceled');
  await expect.element(nothing).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.administration.find').at(-1))
    .toMatchObject({ status: 'cancelled' });
  await expectFair('no appointments');
  answer({ 'appointments.administration.find': one });
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.element(page.getByLabelText('Status')).toHaveValue('');
  await expect.element(row).toBeVisible();
});

test('rejects a last day before the first', async () => {
  await openAppointments();
  await page.getByLabelText('To', { exact: true }).fill('2020-01-01');
  await page.getByLabelText('From', { exact: true }).fill('2021-01-01');
  await expect.element(page.getByText('The end date is before the start date.')).toBeVisible();
  await expect.element(table).not.toBeInTheDocument();
});

test('moves an appointment by keyboard once a reason is given', async () => {
  const start = '2026-12-09T15:00:00Z';
  await openAppointments({
    'appointments.administration.freeStarts': ({ from, to }: { from: string; to: string }) => ({
      timeZone: first!.provider.timeZone,
      starts: start >= from && start < to ? [start] : [],
      places: [],
    }),
  });
  await press(actions);
  await expect.element(page.getByRole('menuitem').first()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
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

test('asks for a reason before canceling, and reports a concurrent change', async () => {
  await openAppointments({
    'appointments.administration.cancel': refusal(409, 'conflict', 'changed_meanwhile'),
  });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  await expect.element(question).toMatchTextContent(`${first!.client.name} with ${first!.provider.name}`);
  const cancel = question.getByRole('button', { name: 'Cancel appointment' });
  await cancel.click();
  await expect.element(question.getByText('Enter a reason.')).toBeVisible();
  expect(askedFor('appointments.administration.cancel')).toEqual([]);
  await question.getByLabelText('Reason').fill('I was late.');
  const cancelled = { ...first!, status: 'cancelled', actions: [], sequence: 1 };
  answer({ 'appointments.administration.find': { ...one, appointments: [cancelled] } });
  await cancel.click();
  await expect
    .element(question.getByRole('alert'))
    .toMatchTextContent('Someone else changed this appointment');
  await expectFair('an appointment that another has cancelled');
  await question.getByRole('button', { name: 'Keep as is' }).click();
  await expect.element(row).toMatchTextContent('Canceled');
});

test('cancels with a reason', async () => {
  await openAppointments({
    'appointments.administration.cancel': { ...first!, status: 'cancelled', actions: [] },
  });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  await question.getByLabelText('Reason').fill('The house is closed.');
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('appointments.administration.cancel'))
    .toMatchObject([{ appointmentId: first!.id, sequence: 0, reason: 'The house is closed.' }]);
});
