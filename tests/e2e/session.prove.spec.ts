import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, type Specialist } from './support/booking.ts';
import {
  callOptions,
  clientName,
  control,
  goIn,
  liveTracks,
  sessionNow,
  watchCalls,
} from './support/call.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFocusSeen } from './support/keyboard.ts';
import { desktop, expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ launchOptions: callOptions });

test('hides a session from people who aren’t part of it', async ({ page, product, open }) => {
  const { ada, id } = await session(page, await open(), product);
  const stranger = await open();
  await signIn(stranger, someone('stranger'));
  for (const address of [`/session/${id}`, `/session/${crypto.randomUUID()}`, '/session/nonsense']) {
    const answer = await stranger.request.get(product.url + address);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).not.toContain(ada.name);
  }
});

test('tests and selects camera, microphone and speaker before a session, and keeps the choice', async ({
  page,
  product,
  open,
}) => {
  const { ada, id } = await session(page, await open(), product);
  await page.goto(`/session/${id}`);
  await expect(page.getByText(`Individual Healing with ${ada.name}.`)).toBeVisible();
  const level = page.getByRole('meter', { name: 'Microphone level' });
  // The fake microphone beeps once a second.
  await expect(level).toHaveAttribute('aria-valuetext', 'We can hear you.');
  await expectFair(page, 'the device check', { dark: true });
  const preview = page.locator('main video');
  await expect.poll(() => preview.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0);
  expect(
    await preview.evaluate(
      (video) =>
        new DOMMatrix(
          getComputedStyle(video).scale === 'none'
            ? ''
            : `scale(${getComputedStyle(video).scale.split(' ').join(',')})`,
        ).a,
    ),
  ).toBe(-1);
  await expect(page.getByText('Nothing is recorded.')).toBeVisible();

  await page.getByRole('button', { name: 'Test speaker' }).click();
  await expect(page.getByText('Did you hear three notes?')).toBeVisible();

  const microphones = page.getByRole('combobox', { name: 'Microphone' });
  const other = await microphones.locator('option').nth(1).getAttribute('value');
  await microphones.selectOption(other);
  await expect(microphones).toHaveValue(other!);
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('italk-devices')!) as object);
  expect(kept).toEqual({ microphone: other, camera: null, speaker: null });

  const camera = page.getByRole('button', { name: 'Camera' });
  await expect(camera).toHaveAttribute('aria-pressed', 'true');
  await camera.click();
  await expect(camera).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByText('Your camera is off.')).toBeVisible();
  await expect(preview).toHaveCount(0);
  await page.getByRole('button', { name: 'Microphone' }).click();
  await expect(level).toHaveCount(0);
  await page.getByRole('button', { name: 'Join session' }).click();
  await expect(page.getByRole('heading', { name: 'You’re in the waiting room' })).toBeVisible();
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'You left the session' })).toBeVisible();
});

test('supports a call by keyboard alone, and keeps every panel accessible', async ({
  page,
  product,
  open,
}) => {
  const theirs = await open({ colorScheme: 'light' });
  const { id } = await session(page, theirs, product);
  await watchCalls(theirs);
  await page.goto(`/session/${id}`);
  await goIn(page);
  await theirs.goto(`/session/${id}`);
  await expect(theirs.getByRole('meter')).toBeVisible();
  await press(theirs, 'Join session');
  await expect(theirs.locator('main')).toBeFocused();
  await expect(theirs.getByText(`${clientName} is waiting to join.`).first()).toBeVisible();
  await expectFair(theirs, 'a call in front of which somebody waits', { dark: true });
  await press(theirs, `Admit ${clientName}`);
  await expect(theirs.getByRole('figure', { name: clientName })).toBeVisible();
  await press(theirs, 'Microphone');
  await expect(control(theirs, 'Microphone')).toHaveAttribute('aria-pressed', 'false');
  await press(theirs, 'Chat');
  await expect(theirs.getByRole('textbox', { name: 'Message everyone here' })).toBeFocused();
  await theirs.keyboard.type('Welcome.');
  // Sending waits for the peer connection.
  await expect(theirs.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await theirs.keyboard.press('Enter');
  await expect(theirs.getByRole('log')).toContainText('Welcome.');
  await theirs.keyboard.press('Escape');
  await expect(control(theirs, 'Chat')).toBeFocused();

  for (const name of ['Chat', 'People']) {
    await control(theirs, name).click();
    await expect(theirs.getByRole('region', { name })).toBeVisible();
    await theirs.setViewportSize(phone);
    await expectNoViolation(theirs, `a call with ${name} on phones`);
    await theirs.setViewportSize(desktop);
    await expectNoViolation(theirs, `a call with ${name} on desktops`);
    await theirs.getByRole('button', { name: `Close ${name}` }).click();
    await expect(control(theirs, name)).toBeFocused();
  }
  await control(theirs, 'Share screen').click();
  await expect(theirs.getByRole('figure', { name: 'Your screen' })).toBeVisible();
  await expectFair(page, 'a call with a screen');
  for (const name of ['Devices', 'Continue by phone']) {
    await control(theirs, name).click();
    const dialog = theirs.getByRole('dialog', { name });
    await expect(dialog).toBeVisible();
    await expectFair(theirs, `a call’s dialog ${name}`, { dialog });
    await theirs.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await page.setViewportSize(phone);
  await control(page, 'More').click();
  await expect(page.getByRole('menuitem', { name: 'Continue by phone' })).toBeVisible();
  await expectNoViolation(page, 'a call’s menu on phones');

  await press(theirs, 'Leave');
  await expect(theirs.getByRole('heading', { name: 'You left the session' })).toBeVisible();
  expect(await liveTracks(theirs)).toEqual([]);
});

async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect(button).toBeVisible();
  for (let step = 0; step < 40; step += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
    await expectFocusSeen(page);
  }
  throw new Error(`Tab never comes to ${name}`);
}

async function session(page: Page, theirs: Page, product: Product): Promise<{ ada: Specialist; id: string }> {
  const ada = await becomeSpecialist(theirs, product);
  await signIn(page, someone('visitor'));
  return { ada, id: await sessionNow(page, product, ada) };
}
