import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectNoViolation } from '../../../tests/components/fair.ts';
import { press, tabTo } from '../../../tests/components/keyboard.ts';
import { openPage } from '../../../tests/components/page.tsx';
import { recordedFor } from '../../../tests/components/recorded.ts';

const lines = page.getByRole('group', { name: 'You don’t have to wait' });

/** Opens and closes the crisis lines by keyboard; expects `place` to stay open. */
async function expectHelpIn(place: Locator): Promise<void> {
  const help = place.getByRole('button', { name: 'Need help now?' }).first();
  await press(help);
  await expect.element(lines).toBeVisible();
  for (const [name, href] of [
    [/988/, 'tel:988'],
    [/Text HOME to 741741/, 'sms:741741?&body=HOME'],
    [/911/, 'tel:911'],
  ] as const) {
    const line = lines.getByRole('link', { name });
    await tabTo(line, 3);
    await expect.element(line).toHaveAttribute('href', href);
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(lines).not.toBeInTheDocument();
  await expect.element(help).toHaveFocus();
  await expect.element(place).toBeVisible();
}

test('opens the crisis lines without a request that could reveal it', { tags: ['long'] }, async () => {
  await openPage('/');
  const help = page.getByRole('banner').getByRole('button', { name: 'Need help now?' });
  await expect.element(help).toBeVisible();
  await document.fonts.ready;
  const asked: string[] = [];
  const observer = new PerformanceObserver((list) =>
    asked.push(
      ...list
        .getEntries()
        .map(({ name }) => name)
        .filter((name) => !name.includes('/__vitest')),
    ),
  );
  observer.observe({ type: 'resource' });
  await help.click();
  await expect.element(lines).toBeVisible();
  await expect.poll(() => lines.getByRole('link').elements()).toHaveLength(3);
  await lines.getByRole('button', { name: 'Close' }).click();
  await expect.element(lines).not.toBeInTheDocument();
  asked.push(...observer.takeRecords().map(({ name }) => name));
  observer.disconnect();
  expect(asked).toEqual([]);
  await help.click();
  await expect.element(lines).toBeVisible();
  await expectNoViolation('the crisis lines');
});

for (const path of ['/', '/?auth=1', '/reset-password#x', '/no/such/page'])
  test(`is one key press away on ${path}`, async () => {
    await openPage(path, { answers: { 'POST /api/auth/check-reset-link': { signedIn: false } } });
    await expectHelpIn(page.elementLocator(document.body));
  });

test('is one key press away in the sign-in prompt', async () => {
  await openPage('/services');
  await page.getByRole('button', { name: 'Book Session for Youth Guidance' }).click();
  await expectHelpIn(page.getByRole('dialog', { name: "You're almost there!" }));
});

test('is one key press away in the booking dialog, which keeps its input', { tags: ['long'] }, async () => {
  const { id } = recordedFor('client')['providers.get'];
  await openPage(`/faq?book=${id}&service=individuals`, { as: 'client' });
  const dialog = page.getByRole('dialog', { name: 'Book Appointment' });
  const name = dialog.getByLabelText('Full name');
  await name.fill('Ruth Amsel');
  await expectHelpIn(dialog);
  await expect.element(name).toHaveValue('Ruth Amsel');
});

for (const [item, role] of [
  ['Reschedule', 'dialog'],
  ['Reminder and calendar', 'dialog'],
  ['Cancel appointment', 'alertdialog'],
] as const)
  test(`is one key press away while changing an appointment: ${item}`, async () => {
    await openPage('/home', { as: 'client' });
    await page
      .getByRole('button', { name: /^Actions for the appointment/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: item }).click();
    await expectHelpIn(page.getByRole(role));
  });

for (const [who, path] of [
  ['client', '/about'],
  ['admin', '/admin/settings'],
] as const)
  test(`fits the header at 320 px with text at 200 % (${who})`, async () => {
    await page.viewport(320, 640);
    await openPage(path, { as: who });
    document.documentElement.style.fontSize = '200%';
    onTestFinished(() => void document.documentElement.style.removeProperty('font-size'));
    const button = page.getByRole('banner').getByRole('button', { name: 'Need help now?' });
    await expect.element(button).toBeVisible();
    const { scrollWidth, clientWidth } = button.element();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    const controls = [...document.querySelectorAll('header :is(a, button)')].map((one) =>
      one.getBoundingClientRect(),
    );
    const shown = controls.filter(({ width }) => width > 0);
    expect(Math.min(...shown.map(({ left }) => left))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...shown.map(({ right }) => right))).toBeLessThanOrEqual(320);
  });
