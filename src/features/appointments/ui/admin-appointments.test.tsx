import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const found = recordedFor('admin')['appointments.administration.find'];
const [first] = found.appointments;
const one = { appointments: [first], more: false, manyPeople: false };
const none = { appointments: [], more: false, manyPeople: false };

const table = page.getByRole('table');
const row = table.getByRole('row').filter({ hasText: first!.client.email }).first();
const words = page.getByLabelText('Name, email, or appointment ID');
const nothing = page.getByText('No matching appointments');

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
  await pressWith(again, { 'appointments.administration.find': one });
  await expect.element(row).toBeVisible();
});

test('searches by words or id, and keeps names out of the URL', { tags: ['long'] }, async () => {
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

test('waits for a whole year while a date is typed', async () => {
  await openAppointments();
  await expect.element(row).toBeVisible();
  const from = page.getByLabelText('From');
  await from.fill('0002-03-01');
  await expect.element(row).toBeVisible();
  await from.fill('2026-03-01');
  await expect
    .poll(() => askedFor('appointments.administration.find').at(-1))
    .toMatchObject({ from: '2026-03-01' });
  expect(askedFor('appointments.administration.find')).not.toContainEqual(
    expect.objectContaining({ from: '0002-03-01' }),
  );
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
  await pressWith(page.getByRole('button', { name: 'Show all' }), {
    'appointments.administration.find': one,
  });
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

test('leads to the pages of each appointment and its people', async () => {
  await openAppointments();
  for (const [name, href] of [
    [/2026/, `/admin/appointments/${first!.id}`],
    [first!.client.name, `/admin/people/${first!.client.id}`],
    [first!.provider.name, `/admin/people/${first!.provider.id}`],
  ] as const)
    await expect.element(row.getByRole('link', { name })).toHaveAttribute('href', href);
});

test('shows one person’s appointments by id, with a way back to all', async () => {
  const { id, name } = first!.client;
  await openPage(`/admin/appointments?person=${id}`, {
    as: 'admin',
    answers: { 'appointments.administration.find': one, 'names.of': [{ ...first!.client, role: 'client' }] },
  });
  await expect.element(page.getByRole('main').getByRole('link', { name }).first()).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.administration.find').at(-1))
    .toMatchObject({ personId: id });
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(address).toBe('/admin/appointments');
});

test('gives people without an account no link', async () => {
  const client = { ...first!.client, name: 'Only Known Here', email: 'x@unclaimed.invalid' };
  await openAppointments({
    'appointments.administration.find': { ...one, appointments: [{ ...first!, client }] },
  });
  await expect.element(table).toMatchTextContent('No account yet');
  expect(table.getByRole('link', { name: client.name }).query()).toBe(null);
});
