import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, phone } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedAt, recordedFor } from '../../../../tests/components/recorded.ts';

const [one] = recordedFor('doctor')['appointments.mine'];
const schedule = page.getByRole('region', { name: "Today's Schedule" });
const row = schedule.getByRole('article');
const longName = 'Maximiliana-Konstantina von Hohenzollern-Sigmaringen';

function session(index: number, changes: object = {}): object {
  const startsAt = recordedAt('doctor').getTime() + index * 3_600_000;
  return {
    ...one!,
    id: `01a20ca3-0000-7000-8000-00000000000${index}`,
    status: 'confirmed',
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 3_600_000).toISOString(),
    actions: ['reschedule', 'cancel'],
    ...changes,
  };
}

function openHome(sessions: readonly object[]): Promise<void> {
  return openPage('/home', {
    as: 'doctor',
    answers: { 'appointments.mine': ({ status }: { status?: string }) => (status ? [] : sessions) },
  });
}

test('shows a full day in rows of one line', async () => {
  const kinds = ['online', 'phone', 'in-person'];
  await page.viewport(desktop.width, desktop.height);
  await openHome(
    [1, 2, 3, 4, 5, 6, 7, 8].map((index) =>
      session(index, {
        sessionType: kinds[index % 3],
        calledAt: one!.client.phone,
        client: { ...one!.client, name: index === 1 ? longName : one!.client.name },
      }),
    ),
  );
  await expect.poll(() => row.elements()).toHaveLength(8);
  for (const text of [longName, 'Individual Healing', 'Consultation', 'Confirmed', '60 minutes'])
    await expect.element(row.first()).toMatchTextContent(text);
  await expect
    .poll(() =>
      Math.max(
        ...row
          .elements()
          .slice(1)
          .map((each) => each.getBoundingClientRect().height),
      ),
    )
    .toBeLessThan(90);
  await expectFair('a full day');
});

test('shows five sessions in three lines each, within two screens of a phone', async () => {
  await page.viewport(phone.width, phone.height);
  await openHome([1, 2, 3, 4, 5].map((index) => session(index)));
  await expect.poll(() => row.elements()).toHaveLength(5);
  expect(row.elements().map((each) => each.getBoundingClientRect().height < 100)).not.toContain(false);
  // The header and the bottom bar cover part of each screen.
  const screen = phone.height - 65 - 64;
  await expect
    .poll(() => row.last().element().getBoundingClientRect().bottom + window.scrollY)
    .toBeLessThan(65 + 2 * screen);
});

test('shows the client of a session to confirm below its time on phones', async () => {
  await page.viewport(phone.width, phone.height);
  await openHome([session(1, { status: 'pending', actions: ['confirm', 'decline'] })]);
  const leftOf = (element: Element | null) => element?.getBoundingClientRect().left;
  await expect.element(row).toMatchTextContent('Pending');
  expect(leftOf(row.getByRole('heading').element())).toBe(leftOf(row.element().querySelector('time')));
});

test('keeps contact and rarer actions in a menu', async () => {
  const { name, email, phone: number } = one!.client;
  await openHome([session(1)]);
  await press(row.getByRole('button', { name: `Actions for the appointment with ${name}` }));
  const items = page.getByRole('menuitem');
  await expect
    .poll(() => items.elements().map((item) => item.textContent))
    .toEqual(['Reschedule', 'Write a note', email, number, 'Cancel appointment']);
  await expect
    .element(page.getByRole('menuitem', { name: email }))
    .toHaveAttribute('href', `mailto:${email}`);
  await expect
    .element(page.getByRole('menuitem', { name: number }))
    .toHaveAttribute('href', `tel:${number.replaceAll(' ', '')}`);
  await expectFair('the menu of a session');
  await userEvent.keyboard('{Escape}');
});

test('confirms with one press, and asks before it declines', { tags: ['long'] }, async () => {
  const pending = session(1, { status: 'pending', actions: ['confirm', 'decline'] });
  await openHome([pending]);
  await row.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click();
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  answer({ 'appointments.confirm': refusal(409, 'conflict', 'wrong_status') });
  const confirm = row.getByRole('button', { name: 'Confirm', exact: true });
  await confirm.click();
  await expect.element(page.getByText('This appointment has changed').first()).toBeVisible();
  await expect.element(confirm).toBeEnabled();
  const confirmed = session(1);
  await pressWith(confirm, { 'appointments.confirm': confirmed, 'appointments.mine': [confirmed] });
  await expect.element(confirm).not.toBeInTheDocument();
  await expect.element(page.getByText('Booking confirmed', { exact: true }).first()).toBeVisible();
});

test('offers a note in place of Join once a session is over', async () => {
  const { id } = one!.client;
  await openHome([session(1, { status: 'completed', actions: [] })]);
  await expect
    .element(row.getByRole('link', { name: /^Write a note about the session with / }))
    .toHaveAttribute('href', `/clients/${id}?about=01a20ca3-0000-7000-8000-000000000001`);
  await expect.element(row.getByRole('link', { name: /^Message to / })).toBeVisible();
  expect(row.getByRole('link', { name: /^(Join|Open session)/ }).query()).toBe(null);
});
