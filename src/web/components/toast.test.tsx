import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { desktop, phone } from '../../../tests/components/fair.ts';
import { openPage } from '../../../tests/components/page.tsx';
import { recordedFor } from '../../../tests/components/recorded.ts';

const toast = page.getByRole('listitem').filter({ hasText: 'Changes saved' });
const save = page.getByRole('button', { name: 'Save Changes' });
const boxOf = (of: Locator) => of.element().getBoundingClientRect();

async function saveName(): Promise<void> {
  const profile = { ...recordedFor('client')['accounts.profile'], fullName: 'Naomi Weiss' };
  await openPage('/profile', { as: 'client', answers: { 'accounts.updateProfile': profile } });
  await page.getByLabelText('Full name').fill('Naomi Weiss');
  await save.click();
  await expect.element(toast).toBeVisible();
}

function areApart(one: DOMRect, two: DOMRect): boolean {
  return one.top >= two.bottom || one.bottom <= two.top || one.left >= two.right || one.right <= two.left;
}

for (const size of [phone, desktop])
  test(`covers no heading, main button or bar at ${size.width} px`, async () => {
    await page.viewport(size.width, size.height);
    await saveName();
    const bar = page.elementLocator(document.querySelector('nav[data-bar]')!);
    for (const kept of [save, bar]) await expect.poll(() => areApart(boxOf(toast), boxOf(kept))).toBe(true);
    window.scrollTo(0, 0);
    await expect
      .poll(() => areApart(boxOf(toast), boxOf(page.getByRole('heading', { level: 1 }))))
      .toBe(true);
    expect(boxOf(toast).top).toBeGreaterThan(size.height / 2);
    expect(boxOf(toast).bottom).toBeLessThanOrEqual(size.height);
  });

test('leaves a question readable on phones', { tags: ['long'] }, async () => {
  await page.viewport(phone.width, phone.height);
  await saveName();
  await page.getByLabelText('Full name').fill('Naomi');
  // The page asks before it unloads once it knows of the unsaved text.
  await expect.poll(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  await page.elementLocator(document.querySelector('nav[data-bar] a')!).click();
  const question = page.getByRole('alertdialog');
  await expect.element(question).toBeVisible();
  await expect.poll(() => areApart(boxOf(toast), boxOf(question))).toBe(true);
});

test('stays above a phone’s keyboard', async () => {
  await page.viewport(phone.width, phone.height);
  await saveName();
  const view = window.visualViewport!;
  // On phones the keyboard shrinks only the visual viewport.
  Object.defineProperty(view, 'height', { value: 420, configurable: true });
  view.dispatchEvent(new Event('resize'));
  try {
    await expect.poll(() => boxOf(toast).bottom).toBeLessThanOrEqual(420);
    expect(boxOf(toast).top).toBeGreaterThan(0);
  } finally {
    Reflect.deleteProperty(view, 'height');
  }
});

async function dismissByKeyboard(): Promise<void> {
  await userEvent.keyboard('{F8}');
  const dismiss = toast.getByRole('button', { name: 'Dismiss' });
  while (document.activeElement !== dismiss.element()) await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await expect.element(toast).not.toBeInTheDocument();
}

test('returns focus to where it was once dismissed', async () => {
  await saveName();
  await expect.element(save).toHaveFocus();
  await dismissByKeyboard();
  await expect.element(save).toHaveFocus();
});

test('gives focus to the page once dismissed if nothing had it', async () => {
  await saveName();
  (save.element() as HTMLElement).blur();
  await dismissByKeyboard();
  await expect.element(page.getByRole('main')).toHaveFocus();
});
