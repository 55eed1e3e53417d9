import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { askedFor } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const guest = recordedFor('guest');
const sarah = guest['providers.get'];
const prompt = page.getByRole('dialog', { name: "You're almost there!" });
const withoutAccount = prompt.getByRole('button', { name: 'Book without an account' });
const dialog = page.getByRole('dialog', { name: 'Book Appointment' });
const send = dialog.getByRole('button', { name: 'Send me the link' });
const asked = page.getByRole('dialog', { name: 'Check your email' });
const name = dialog.getByLabelText('Full name');
const email = dialog.getByLabelText('Email');
const times = dialog.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio');
const startsAt = '2026-12-09T14:00:00Z';
const starts = [startsAt, '2026-12-09T15:00:00Z'];

async function expectFocusIn(part: typeof dialog): Promise<void> {
  await expect.poll(() => part.element().contains(document.activeElement)).toBe(true);
}

/** Opens a booking link from an email, with guest booking on by default. */
function openBooking(guestBooking = true, search = `?book=${sarah.id}&service=individuals`): Promise<void> {
  return openPage(`/faq${search}`, {
    answers: {
      'settings.site': { ...guest['settings.site'], guestBooking },
      'appointments.freeStarts': { timeZone: 'America/New_York', starts, places: [] },
      'guestBooking.ask': ({ contact }: { contact: { email: string } }) =>
        Response.json({ sentTo: contact.email }, { status: 201 }),
    },
  });
}

test('offers guest booking only where guests can book', async () => {
  await openBooking(false);
  await expect.element(prompt.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  expect(withoutAccount.query()).toBe(null);
  await openBooking();
  await expect.element(withoutAccount).toBeVisible();
  await expectFair('the way in without an account');
});

test('returns to the booking after a reload', { tags: ['long'] }, async () => {
  await openBooking();
  await withoutAccount.click();
  await dialog.getByRole('button', { name: /Wednesday, December 9/ }).click();
  await times.first().click();
  await expect.poll(() => window.location.search).toContain('start=');
  const reload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(reload()).toBe(false);
  await name.fill('Ruth Lane');
  expect(window.location.search).not.toContain('Ruth');
  await expect.poll(reload).toBe(true);
  await openBooking(true, window.location.search);
  await expect.element(times.first()).toBeChecked();
  expect(prompt.query()).toBe(null);
});

test('books as a guest by keyboard alone on phones', { tags: ['long'] }, async () => {
  await page.viewport(phone.width, phone.height);
  await openBooking();
  await expectFocusIn(prompt);
  await press(withoutAccount);
  await expectFocusIn(dialog);
  const day = dialog.getByRole('button', { name: /Wednesday, December 9/ });
  await expect.element(day).toBeEnabled();
  await tabTo(dialog.getByRole('button', { name: 'Next month' }));
  await userEvent.keyboard('{Tab}');
  for (let steps = 0; steps < 14 && document.activeElement !== day.element(); steps += 1)
    await userEvent.keyboard('{ArrowRight}');
  await expect.element(day).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await press(times.first(), ' ');
  await press(dialog.getByRole('radio', { name: /Online Video Call/ }), ' ');
  await tabTo(name);
  await userEvent.keyboard('Esther Vale');
  await tabTo(email);
  await userEvent.keyboard('esther@vale.example{Enter}');
  await expectFocusIn(asked);
  await expect
    .poll(() => askedFor('guestBooking.ask'))
    .toMatchObject([
      {
        startsAt,
        sessionType: 'online',
        serviceId: 'individuals',
        contact: { name: 'Esther Vale', email: 'esther@vale.example' },
      },
    ]);
  await press(asked.getByRole('button', { name: 'Done' }));
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test(
  'asks guests for name and email, keeps choices on an email change, and resends',
  { tags: ['long'] },
  async () => {
    await openBooking();
    await withoutAccount.click();
    await dialog.getByRole('button', { name: /Wednesday, December 9/ }).click();
    await times.first().click();
    await dialog.getByRole('radio', { name: /Online Video Call/ }).click();
    expect(dialog.getByRole('radio', { name: 'Weekly', exact: true }).query()).toBe(null);
    expect(dialog.getByRole('button', { name: 'Tell me' }).query()).toBe(null);
    await send.click();
    await expect.element(name).toHaveFocus();
    await name.fill('Ruth Lane');
    await email.fill('ruth@nowhere');
    await send.click();
    await expect.element(email).toHaveFocus();
    expect(askedFor('guestBooking.ask')).toEqual([]);
    await expectNoViolation('the booking of a guest with a problem');
    await email.fill('mistyped@lane.example');
    await send.click();
    await asked.getByRole('button', { name: 'Use another email' }).click();
    await expect.element(email).toHaveFocus();
    await expect.element(name).toHaveValue('Ruth Lane');
    await expect
      .element(dialog.getByRole('region', { name: 'Appointment Summary' }))
      .toMatchTextContent('8:00 AM');
    await email.fill('ruth@lane.example');
    await send.click();
    await expect.element(asked).toMatchTextContent('We sent a link to ruth@lane.example.');
    await expectFair('what a guest does next');
    await asked.getByRole('button', { name: 'Send again' }).click();
    await expect.element(page.getByText('Link sent again').first()).toBeVisible();
    await expect.poll(() => askedFor('guestBooking.ask')).toHaveLength(3);
  },
);
