import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookingDialog,
  moveInDatabase,
  words,
  type Specialist,
} from './support/booking.ts';
import {
  callOptions,
  clientName,
  control,
  goIn,
  letIn,
  liveTracks,
  sessionNow,
  watchCalls,
} from './support/call.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFocusSeen } from './support/keyboard.ts';
import { desktop, expectFair, expectNoViolation, phone } from './support/look.ts';
import { morningZone } from './support/zones.ts';

test.use({ launchOptions: callOptions, reducedMotion: 'reduce' });

const minute = 60_000;

test('a room that is shut says why, each time in a sentence of its own, and what to do next', async ({
  page,
  product,
  open,
}) => {
  test.slow();
  const { ada, id } = await session(page, await open(), product, 3 * 60);
  const title = page.getByRole('heading', { level: 1 });

  await page.goto(`/session/${id}`);
  await expect(title).toHaveText('The room isn’t open yet');
  const opens = words((await startOf(product, id, -10)).toISOString());
  await expect(page.getByText(`It opens at ${opens.time} on ${opens.date} (Chicago time)`)).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^Opens in 2 h (49|50) min$/);
  await expect(page.getByText(/^Stay on this page/)).toHaveCount(0);
  await expectFair(page, 'a room that isn’t open yet', { dark: true });
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save to my calendar' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.ics$/);

  await product.query(`update appointments set status = 'pending' where id = $1`, [id]);
  await page.reload();
  await expect(title).toHaveText('This session isn’t confirmed yet');
  await expect(page.getByText(`${ada.name} hasn’t confirmed it yet.`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Your sessions' })).toBeVisible();

  await product.query(`update appointments set status = 'cancelled' where id = $1`, [id]);
  await page.reload();
  await expect(title).toHaveText('This session doesn’t take place');
  await page.getByRole('button', { name: 'Book again' }).click();
  await expect(bookingDialog(page)).toContainText(ada.name);

  await product.query(`update appointments set status = 'confirmed' where id = $1`, [id]);
  await moveInDatabase(product, id, new Date(Date.now() - 80 * minute));
  await page.goto(`/session/${id}`);
  await expect(title).toHaveText('This session is over');
  await expectFair(page, 'a session that is over');

  await product.query(`update appointments set status = 'completed' where id = $1`, [id]);
  await page.reload();
  await expect(title).toHaveText('This session has ended');
});

test('whoever takes no part in a session finds no page of it, and no word about it', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  const { ada, id } = await session(page, await open(), product, -5);
  expectNoise(/404/);
  const stranger = await open();
  await signIn(stranger, someone('stranger'));
  for (const address of [`/session/${id}`, `/session/${crypto.randomUUID()}`, '/session/nonsense']) {
    expect((await stranger.goto(address))?.status()).toBe(404);
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
    await expect(stranger.getByText(ada.name)).toHaveCount(0);
  }
});

test('a guest signs in on a session’s page and goes on there', async ({ page, product, open }) => {
  const theirs = await open();
  const ada = await becomeSpecialist(theirs, product);
  const client = someone('returning');
  const before = await open();
  await signIn(before, client);
  const id = await sessionNow(before, product, ada);

  await page.goto(`/session/${id}`);
  const prompt = page.getByRole('dialog');
  await prompt.getByLabel('Email').fill(client);
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Check your camera and sound' })).toBeVisible();
});

test('the door opens by itself while somebody waits in front of it', async ({ page, product, open }) => {
  const { id } = await session(page, await open(), product, 60);
  await moveInDatabase(product, id, new Date(Date.now() + 10 * minute + 15_000));
  await page.goto(`/session/${id}`);
  await expect(page.getByRole('timer')).toHaveText('Opens in less than a minute');
  await expect(page.getByText('Stay on this page, and the door opens by itself.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Check your camera and sound' })).toBeVisible({
    timeout: 35_000,
  });
});

test('before a session camera, microphone and speaker are tried and chosen, and the choice is kept', async ({
  page,
  product,
  open,
}) => {
  const { ada, id } = await session(page, await open(), product, -5);
  await page.goto(`/session/${id}`);
  await expect(page.getByText(`Individual Healing with ${ada.name}.`)).toBeVisible();
  const level = page.getByRole('meter', { name: 'Microphone level' });
  // The device beeps once a second.
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
  await page.reload();
  await expect(microphones).toHaveValue(other!);

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
  await expectFair(page, 'the waiting room', { dark: true });
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'You have left the session' })).toBeVisible();
  await expectFair(page, 'a session that was left');
});

for (const { failure, both, camera } of [
  {
    failure: 'NotAllowedError',
    both: 'Your camera and microphone aren’t allowed',
    camera: 'Your camera isn’t allowed',
  },
  {
    failure: 'NotFoundError',
    both: 'No camera and no microphone were found',
    camera: 'No camera was found',
  },
  {
    failure: 'NotReadableError',
    both: 'Your camera and microphone are in use elsewhere',
    camera: 'Your camera is in use elsewhere',
  },
]) {
  test(`a camera and microphone that fail (${failure}) are told of in words, and one can go in without them`, async ({
    page,
    product,
    open,
  }) => {
    const { ada, id } = await session(page, await open(), product, -5);
    await page.addInitScript((name) => {
      const native = MediaDevices.prototype.getUserMedia;
      const failing = new Set(['audio', 'video']);
      MediaDevices.prototype.getUserMedia = function (constraints) {
        const fails =
          (constraints?.audio && failing.has('audio')) || (constraints?.video && failing.has('video'));
        return fails ? Promise.reject(new DOMException('', name)) : native.call(this, constraints);
      };
      window.addEventListener('mend', (event) => failing.delete((event as CustomEvent<string>).detail));
      // As a browser says it of what it was never asked for.
      navigator.permissions.query = ({ name: part }) =>
        Promise.resolve({
          state: failing.has((part as string) === 'camera' ? 'video' : 'audio') ? 'prompt' : 'granted',
        } as PermissionStatus);
    }, failure);
    await page.goto(`/session/${id}`);
    await expect(page.getByText(both)).toBeVisible();
    await expect(page.getByText('You can join without a camera and microphone')).toBeVisible();
    await expectFair(page, `the device check after ${failure}`, { dark: true });
    const mend = async (part: 'audio' | 'video', told: string) => {
      await page.evaluate((detail) => window.dispatchEvent(new CustomEvent('mend', { detail })), part);
      await page
        .getByRole('status')
        .filter({ hasText: told })
        .getByRole('button', { name: 'Try again' })
        .click();
      await expect(page.getByText(told)).toHaveCount(0);
    };
    await mend('audio', both);
    await expect(page.getByText(camera)).toBeVisible();
    await expect(page.getByRole('meter', { name: 'Microphone level' })).toBeVisible();
    await mend('video', camera);
    await expect(page.locator('main video')).toBeVisible();
    await page.getByRole('button', { name: 'Join session' }).click();
    await expect(
      page.getByText(`${ada.name} isn’t here yet and will let you in when they arrive.`),
    ).toBeVisible();
  });
}

test('both homes, the sessions tab and the schedule lead into a session, and say from when on', async ({
  page,
  product,
  open,
}) => {
  test.slow();
  const theirs = await open();
  const { ada, id } = await session(page, theirs, product, 30);
  const opens = words((await startOf(product, id, -10)).toISOString());
  const join = page.getByRole('link', { name: `Join the session with ${ada.name}` });
  for (const address of ['/home', '/profile?tab=sessions']) {
    await page.goto(address);
    await expect(join).toBeVisible();
    await expect(page.getByText(`from ${opens.time} on ${opens.shortDate}`)).toBeVisible();
  }
  await join.click();
  await expect(page.getByRole('heading', { name: 'The room isn’t open yet' })).toBeVisible();

  await moveInDatabase(product, id, new Date(Date.now() + 9 * minute));
  await page.goto('/home');
  await expect(join).toBeVisible();
  await expect(page.getByText(/^from /)).toHaveCount(0);
  await expectFair(page, 'a home with Join');
  const theirJoin = theirs.getByRole('link', { name: `Join the session with ${clientName}` }).first();
  await theirs.goto('/home');
  await theirJoin.click();
  await expect(theirs).toHaveURL(new RegExp(`/session/${id}$`));
  await expect(theirs.getByRole('heading', { name: 'Check your camera and sound' })).toBeVisible();

  await product.query(`update appointments set session_type = 'phone' where id = $1`, [id]);
  await page.reload();
  await page.getByRole('link', { name: `Open session the session with ${ada.name}` }).click();
  await expect(page).toHaveURL(new RegExp(`/session/${id}$`));
});

test('a call is fair to everybody, on phones and desktops, whatever is opened in it', async ({
  page,
  product,
  open,
}) => {
  test.setTimeout(240_000);
  const theirs = await open({ colorScheme: 'light' });
  const { id } = await session(page, theirs, product, -5);
  await page.goto(`/session/${id}`);
  await goIn(page);
  await theirs.goto(`/session/${id}`);
  await goIn(theirs);
  await expect(theirs.getByText(`${clientName} is waiting to come in.`).first()).toBeVisible();
  await expectFair(theirs, 'a call in front of which somebody waits', { dark: true });
  await letIn(theirs, clientName);
  await expect(theirs.getByRole('figure', { name: clientName })).toBeVisible();
  await expectFair(theirs, 'a call');
  for (const name of ['Chat', 'People']) {
    await control(theirs, name).click();
    await expect(theirs.getByRole('region', { name })).toBeVisible();
    await theirs.setViewportSize(phone);
    await expectNoViolation(theirs, `a call with ${name} on phones`);
    await theirs.setViewportSize(desktop);
    await expectNoViolation(theirs, `a call with ${name} on desktops`);
    await theirs.getByRole('button', { name: `Close: ${name}` }).click();
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
  await expect(page.getByText('would like to go on by phone.').first()).toBeVisible();
  await page.setViewportSize(phone);
  await control(page, 'More').click();
  await expect(page.getByRole('menuitem', { name: 'Continue by phone' })).toBeVisible();
  await expectNoViolation(page, 'a call’s menu on phones');
});

test('a session is held by the keyboard alone', async ({ page, product, open }) => {
  test.slow();
  const theirs = await open();
  const { id } = await session(page, theirs, product, -5);
  await watchCalls(theirs);
  await page.goto(`/session/${id}`);
  await goIn(page);
  await theirs.goto(`/session/${id}`);
  await expect(theirs.getByRole('meter')).toBeVisible();
  await press(theirs, 'Join session');
  await expect(theirs.locator('main')).toBeFocused();
  await press(theirs, `Let in ${clientName}`);
  await expect(theirs.getByRole('figure', { name: clientName })).toBeVisible();
  await press(theirs, 'Microphone');
  await expect(control(theirs, 'Microphone')).toHaveAttribute('aria-pressed', 'false');
  await press(theirs, 'Chat');
  await expect(theirs.getByRole('textbox', { name: 'Write to everyone here' })).toBeFocused();
  await theirs.keyboard.type('Welcome.');
  // What is written waits for the line to the other browser.
  await expect(theirs.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await theirs.keyboard.press('Enter');
  await expect(theirs.getByRole('log')).toContainText('Welcome.');
  await theirs.keyboard.press('Escape');
  await expect(control(theirs, 'Chat')).toBeFocused();
  await press(theirs, 'Leave');
  await expect(theirs.getByRole('heading', { name: 'You have left the session' })).toBeVisible();
  expect(await liveTracks(theirs)).toEqual([]);
});

/** Goes to a button by Tab, with the focus in sight all the way, and presses it. */
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

/** A client, who is signed in on the page, and a specialist with an online session that starts in so many minutes. */
async function session(
  page: Page,
  theirs: Page,
  product: Product,
  startsInMinutes: number,
): Promise<{ ada: Specialist; id: string }> {
  // A provider’s home shows today’s sessions: midnight is far from theirs.
  const ada = await becomeSpecialist(theirs, product, { timeZone: morningZone() });
  await signIn(page, someone('visitor'));
  return { ada, id: await sessionNow(page, product, ada, startsInMinutes) };
}

/** When a session begins, so many minutes later. */
async function startOf(product: Product, id: string, later: number): Promise<Date> {
  const [row] = await product.query<{ at: Date }>('select starts_at as at from appointments where id = $1', [
    id,
  ]);
  return new Date(row!.at.getTime() + later * minute);
}
