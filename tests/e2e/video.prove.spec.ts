import type { Locator, Page } from '@playwright/test';
import { moveInDatabase, readToast, storedAppointments } from './support/booking.ts';
import {
  callOptions,
  clientName,
  control,
  expectToSee,
  expectToSeeAndHear,
  goIn,
  letIn,
  liveTracks,
  loseNetwork,
  meet,
  picture,
  received,
  twoPeople,
  watchCalls,
} from './support/call.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { becomeFamilySpecialist, bookTogether, invite } from './support/guests.ts';

test.use({ launchOptions: callOptions });

test('offers chat, screen sharing, speaker and connection status, and movable video in a call', async ({
  page,
  open,
  product,
}) => {
  const { ada, theirs, id } = await twoPeople(page, open, product);
  await meet(page, theirs, id);
  await expectToSeeAndHear(page);

  await test.step('shows one’s own picture small and movable, without cropping either picture', async () => {
    const own = picture(page, 'You');
    const other = picture(page, ada.name);
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 900 },
    ]) {
      await page.setViewportSize(size);
      await expect.poll(async () => areaOf(await boxOf(own)) < areaOf(await boxOf(other)) / 4).toBe(true);
      for (const one of [own, other]) await expect(one.locator('video')).toHaveCSS('object-fit', 'contain');
    }

    const corner = async () => {
      const [small, large] = [await boxOf(own), await boxOf(other)];
      const [x, y] = [small.x + small.width / 2, small.y + small.height / 2];
      const down = y > large.y + large.height / 2 ? 'bottom' : 'top';
      return `${down} ${x > large.x + large.width / 2 ? 'right' : 'left'}`;
    };
    await expect.poll(() => corner()).toBe('bottom right');
    await test.step('by keyboard', async () => {
      await own.getByRole('button', { name: 'Move your picture, now bottom right' }).focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowLeft');
      await expect(own.getByRole('button', { name: 'Move your picture, now top left' })).toBeFocused();
      await expect.poll(() => corner()).toBe('top left');
      await page.keyboard.press('Enter');
      await expect.poll(() => corner()).toBe('top right');
    });
    await test.step('by dragging', async () => {
      const [from, to] = [await boxOf(own), await boxOf(other)];
      await page.mouse.move(from.x + 20, from.y + from.height - 40);
      await page.mouse.down();
      await page.mouse.move(to.x + 60, to.y + to.height - 60, { steps: 5 });
      await page.mouse.up();
      await expect.poll(corner).toBe('bottom left');
    });
  });

  await test.step('exchanges chat messages, and starts and stops screen sharing', async () => {
    await control(theirs, 'Chat').click();
    await theirs.getByRole('textbox', { name: 'Message everyone here' }).fill('Take all the time you need.');
    await theirs.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Take all the time you need.' })).toBeVisible();
    await control(page, 'Chat , 1 new').click();
    await expect(page.getByRole('log')).toContainText('Take all the time you need.');
    const field = page.getByRole('textbox', { name: 'Message everyone here' });
    const crisis = /^If you or someone you know is thinking about suicide/;
    await theirs.getByRole('textbox', { name: 'Message everyone here' }).fill('Do you want to die?');
    await expect(theirs.getByText(crisis)).toHaveCount(0);
    await field.fill('I want to die.');
    await expect(page.getByText(crisis)).toBeVisible();
    await page.getByRole('button', { name: 'Close crisis lines' }).click();
    await expect(field).toBeFocused();
    await field.fill('Thank you.');
    await page.keyboard.press('Enter');
    await expect(theirs.getByRole('log')).toContainText('Thank you.');

    await control(theirs, 'Share screen').click();
    const screen = picture(page, `${ada.name}’s screen`);
    await expect(screen.locator('video')).toBeVisible();
    await expectToSee(page, 1, 2);
    await expect.poll(() => liveTracks(theirs)).toEqual(['audio', 'video', 'video']);
    await control(theirs, 'Stop sharing').click();
    await expect(screen).toHaveCount(0);
    await expect.poll(() => liveTracks(theirs)).toEqual(['audio', 'video']);
    await expectToSeeAndHear(page);
  });

  await test.step('shows the speaker and connection quality, in full screen and picture-in-picture', async () => {
    // Both fake microphones beep together, so mute one to get a caption.
    await control(page, 'Microphone').click();
    const speaks = page.getByText(`${ada.name} is speaking`);
    await expect(speaks).toBeVisible({ timeout: 20_000 });
    await control(theirs, 'Microphone').click();
    await expect(speaks).toHaveCount(0);

    const line = page.getByRole('paragraph').filter({ hasText: /^Connection: / });
    await expect(line).toHaveText('Connection: Good');
    await answersAfter(page, 500);
    await expect(line).toHaveText('Connection: Unsteady');
    await answersAfter(page, 1_000);
    await expect(line).toHaveText('Connection: Poor: try turning off the camera');
    await expect(picture(page, ada.name).getByText('Poor: try turning off the camera')).toBeVisible();
    await answersAfter(page, null);
    await expect(line).toHaveText('Connection: Good');

    const fillsScreen = () => page.evaluate(() => document.fullscreenElement !== null);
    await control(page, 'Full screen').click();
    await expect(control(page, 'Full screen')).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => fillsScreen()).toBe(true);
    await control(page, 'Full screen').click();
    await expect(control(page, 'Full screen')).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => fillsScreen()).toBe(false);

    await control(page, 'Picture in picture').click();
    await expect(control(page, 'Picture in picture')).toHaveAttribute('aria-pressed', 'true');
    const floats = await page.evaluate(() =>
      document.pictureInPictureElement?.closest('figure')?.getAttribute('aria-label'),
    );
    expect(floats).toBe(ada.name);
    await control(page, 'Full screen').click();
    await expect.poll(fillsScreen).toBe(true);
    await control(page, 'Leave').click();
    await expect.poll(fillsScreen).toBe(false);
    await expect.poll(() => page.evaluate(() => document.pictureInPictureElement === null)).toBe(true);
  });
});

test('continues a call through ten seconds without a server connection, and reconnects', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  const { theirs, id } = await twoPeople(page, open, product);
  await meet(page, theirs, id);
  await expectToSeeAndHear(page);
  await expectToSeeAndHear(theirs);
  expectNoise(/ERR_INTERNET_DISCONNECTED/);

  await loseNetwork(page, 10, async () => {
    await expect.poll(() => peers(theirs, id)).toBe(1);
    await expectToSeeAndHear(page);
    await expectToSeeAndHear(theirs);
  });
  await expect.poll(() => peers(theirs, id), { timeout: 60_000 }).toBe(2);
  await expectToSeeAndHear(page);
  await expectToSeeAndHear(theirs);
  await expect(theirs.getByText(`${clientName} is waiting to join.`)).toHaveCount(0);
});

test('lets people leave and rejoin; the specialist switches to phone, ends and completes it', async ({
  page,
  open,
  product,
}) => {
  const { ada, theirs, id } = await twoPeople(page, open, product);
  await product.query(`update appointments set contact_phone = '+1 555 010 0177' where id = $1`, [id]);
  await meet(page, theirs, id);
  await expectToSeeAndHear(theirs);
  await control(page, 'Chat').click();
  await page.getByRole('textbox', { name: 'Message everyone here' }).fill('For now alone.');
  await page.keyboard.press('Enter');
  await expect(theirs.getByRole('status').filter({ hasText: 'For now alone.' })).toBeVisible();

  await control(page, 'Leave').click();
  await expect(page.getByRole('heading', { name: 'You left the session' })).toBeVisible();
  await expect.poll(() => liveTracks(page), 'tracks that still run').toEqual([]);
  await expect.poll(() => received(page), 'connections that are open').toEqual([]);
  await expect(picture(theirs, clientName)).toHaveCount(0);
  await expect(theirs.getByText('No one else is here yet.')).toBeVisible();

  await page.getByRole('button', { name: 'Rejoin' }).click();
  await goIn(page);
  await expectToSeeAndHear(page);
  await expectToSeeAndHear(theirs);
  await control(page, 'Chat').click();
  await expect(page.getByRole('region', { name: 'Chat' })).toContainText('Nothing is saved.');
  await expect(page.getByRole('log')).toBeEmpty();

  await test.step('tells both people about the phone call, and shows the number only to the caller', async () => {
    await control(theirs, 'Continue by phone').click();
    const dialog = theirs.getByRole('dialog', { name: 'Continue by phone' });
    await expect(dialog.getByRole('link', { name: '+1 555 010 0177' })).toHaveAttribute(
      'href',
      'tel:+15550100177',
    );
    const told = page.getByRole('status').filter({ hasText: `${ada.name} wants to switch to phone.` });
    await expect(told.first()).toBeVisible();
    await expect(page.getByText(`${ada.name} will call the number from the booking`)).toBeVisible();
    await expect(page.getByText('555')).toHaveCount(0);

    await dialog.getByRole('button', { name: 'Stay here for now' }).click();
    const asked = page.getByText(`${ada.name} will call the number from the booking`);
    await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click();
    await expect(asked).toHaveCount(0);
    await control(theirs, 'Continue by phone').click();
    await expect(asked).toBeVisible();

    await dialog.getByRole('button', { name: 'Leave the call' }).click();
    await expect(theirs.getByRole('heading', { name: 'You left the session' })).toBeVisible();
    await expect.poll(() => liveTracks(theirs), 'tracks that still run').toEqual([]);
    await expect(picture(page, ada.name)).toHaveCount(0);
  });
  await theirs.getByRole('button', { name: 'Rejoin' }).click();
  await goIn(theirs);
  await expect(picture(page, ada.name)).toBeVisible();

  await control(theirs, 'End for everyone').click();
  await theirs
    .getByRole('alertdialog', { name: 'End the session for everyone?' })
    .getByRole('button', { name: 'End for everyone' })
    .click();
  for (const one of [page, theirs]) {
    await expect(one.getByRole('heading', { name: 'This session has ended' })).toBeVisible();
    // Participants leave the call shortly after the message appears.
    await expect.poll(() => liveTracks(one), 'tracks that still run').toEqual([]);
    await expect.poll(() => received(one), 'connections that are open').toEqual([]);
  }
  await expect(page.getByText(`${ada.name} ended it for everyone.`)).toBeVisible();
  await theirs.getByRole('button', { name: 'Mark as completed' }).click();
  await readToast(theirs, 'Marked as completed');
  await expect
    .poll(() => storedAppointments(product, { specialist: ada.email }))
    .toMatchObject([{ status: 'completed' }]);
});

test('connects an invited third person to a family session', async ({ page, open, product }) => {
  const theirs = await open();
  const vera = await becomeFamilySpecialist(theirs, product);
  const { appointmentId: id } = await bookTogether(page, product, vera, { serviceId: 'families' });
  const path = await invite(page, product, id);
  const guests = await open();
  await signIn(guests, someone('third'));
  await guests.goto(path);
  await guests.getByLabel('Your name, as others will see it').fill('Naomi');
  await guests.getByRole('checkbox', { name: /keep what’s said in this session confidential/ }).check();
  await guests.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(guests.getByRole('heading', { level: 1, name: 'You’re all set' })).toBeVisible();
  await moveInDatabase(product, id, new Date(Date.now() - 5 * 60_000));
  const everybody = [theirs, page, guests];
  for (const one of everybody) {
    await watchCalls(one);
    await one.goto(`/session/${id}`);
    await goIn(one);
  }

  await letIn(theirs, 'Ruth Amsel');
  await expectToSeeAndHear(page);
  await expect(guests.getByRole('heading', { name: 'You’re in the waiting room' })).toBeVisible();
  await letIn(theirs, 'Naomi');
  for (const one of everybody) await expectToSeeAndHear(one, 2);
  for (const [one, names] of [
    [theirs, ['Ruth Amsel', 'Naomi']],
    [page, [vera.name, 'Naomi']],
    [guests, [vera.name, 'Ruth Amsel']],
  ] as const) {
    for (const name of names) await expect(picture(one, name).locator('video')).toBeVisible();
  }

  await control(guests, 'Leave').click();
  await expect(guests.getByRole('heading', { name: 'You left the session' })).toBeVisible();
  for (const one of [theirs, page]) {
    await expect(picture(one, 'Naomi')).toHaveCount(0);
    await expectToSeeAndHear(one);
  }
});

/** Fakes the measured round-trip time in milliseconds, as on a bad connection; null restores the real one. */
async function answersAfter(page: Page, roundTrip: number | null): Promise<void> {
  await page.evaluate((milliseconds) => {
    for (const link of window.watched.links) {
      delete (link as Partial<RTCPeerConnection>).getStats;
      if (milliseconds === null) continue;
      const native = link.getStats.bind(link);
      link.getStats = async () => {
        const stats = [...((await native()) as unknown as Map<string, RTCStats>)];
        const slow = { currentRoundTripTime: milliseconds / 1_000 };
        return new Map(
          stats.map(([id, one]) => [id, one.type === 'candidate-pair' ? { ...one, ...slow } : one]),
        );
      };
    }
  }, roundTrip);
}

async function peers(page: Page, appointmentId: string): Promise<number> {
  const answer = await page.request.get(`/api/sessions/${appointmentId}/room`);
  return ((await answer.json()) as { peers: unknown[] }).peers.length;
}

async function boxOf(figure: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await figure.boundingBox())!;
}

function areaOf({ width, height }: { width: number; height: number }): number {
  return width * height;
}
