import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  moveInDatabase,
  offeredTimes,
  openDays,
  openTimes,
  storedAppointments,
  toast,
} from './support/booking.ts';
import { call, expect, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFocusKept, expectHoldsFocus, press, tabTo, typeInto } from './support/keyboard.ts';
import { cards } from './support/library.ts';

// No pointer is used in this file. Booking, signing in and the menu are walked by keyboard elsewhere.
test.use({ reducedMotion: 'reduce' });

const prompt = (page: Page) => page.getByRole('dialog', { name: "You're almost there!" });

/** Opens a page from its address, as somebody who is signed in. */
async function openAs(page: Page, who: string, path: string): Promise<void> {
  await signIn(page, who);
  await page.goto(path);
  await expect(page.getByRole('main')).toBeVisible();
}

/** Opens a dialog from its button, and closes it with Escape: the focus is where it was. */
async function peek(page: Page, opener: Locator, dialog: Locator): Promise<void> {
  await press(page, opener);
  await expectHoldsFocus(dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}

test('the settings are switched from their tab by keyboard alone', async ({ page, product }) => {
  const email = someone('keys');
  await openAs(page, email, '/profile');
  await tabTo(page, page.getByRole('tab', { name: 'Profile' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Settings' })).toBeFocused();
  for (const name of ['Session Reminders', 'Daily Devotionals', 'Community Updates']) {
    const toggle = page.getByRole('switch', { name });
    const before = await toggle.isChecked();
    await press(page, toggle, 'Space');
    await expect(toggle).toBeChecked({ checked: !before });
    await expect(toggle).toBeFocused();
    await expect(toast(page, `${name}: ${before ? 'off' : 'on'}`)).toBeVisible();
  }
  const stored = await product.query(
    'select session_reminders, daily_devotionals, community_updates from profiles join users using (id) where email = $1',
    [email],
  );
  expect(stored).toEqual([{ session_reminders: false, daily_devotionals: true, community_updates: true }]);
});

test('a photo is chosen, kept and removed by keyboard alone', async ({ page }) => {
  await openAs(page, someone('keys'), '/profile');
  const change = page.getByRole('button', { name: 'Change Photo' });
  const dialog = page.getByRole('dialog', { name: 'Choose what is shown' });
  const buffer = await sharp({ create: { width: 640, height: 640, channels: 3, background: '#557' } })
    .png()
    .toBuffer();
  for (const last of [false, true]) {
    const chooser = page.waitForEvent('filechooser');
    await press(page, change);
    await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await expectHoldsFocus(dialog);
    if (last) break;
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(change).toBeFocused();
    await page.keyboard.press('Shift+Tab');
  }
  const area = dialog.getByLabel('The part that is shown. Use the arrow keys to move it.');
  await tabTo(page, area);
  await page.keyboard.press('ArrowDown');
  await expect(area).toBeFocused();
  await press(page, dialog.getByRole('slider', { name: 'Size of the circle' }), 'ArrowLeft');
  await press(page, dialog.getByRole('button', { name: 'Use This Photo' }));
  await expect(toast(page, 'Your photo is saved')).toBeVisible();
  await expect(change).toBeFocused();
  const remove = page.getByRole('button', { name: 'Remove photo' });
  const question = page.getByRole('alertdialog', { name: 'Remove your photo?' });
  await peek(page, remove, question);
  await page.keyboard.press('Enter');
  await press(page, question.getByRole('button', { name: 'Remove photo' }));
  await expect(toast(page, 'Your photo is removed')).toBeVisible();
  await expect(change).toBeFocused();
});

test('data is exported, another device signed out, the account deleted and kept by keyboard alone', async ({
  page,
  open,
  expectNoise,
}) => {
  expectNoise(/status of 4(?:0[01]|12)/);
  const email = someone('keys');
  await signIn(await open(), email);
  await openAs(page, email, '/profile?tab=privacy');
  const main = page.getByRole('main');
  await press(page, main.getByRole('button', { name: 'Request Export' }));
  await typeInto(page, page.getByRole('dialog').getByLabel('Your password'), password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectFocusKept(page);
  const link = main.getByRole('button', { name: 'Download' });
  await expect(link).toBeVisible({ timeout: 20_000 });
  await expectFocusKept(page);
  const download = page.waitForEvent('download');
  await press(page, link);
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);

  const devices = page.getByRole('list', { name: 'Signed-in devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await peek(
    page,
    main.getByRole('button', { name: 'Sign out all other devices' }),
    page.getByRole('alertdialog', { name: 'Sign out all other devices' }),
  );
  await page.keyboard.press('Shift+Tab');
  await expect(devices.getByRole('button', { name: /^Sign out/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(devices).toBeFocused();

  const remove = main.getByRole('button', { name: 'Delete', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await peek(page, remove, dialog);
  await page.keyboard.press('Enter');
  const field = dialog.getByLabel('Your password', { exact: true });
  await typeInto(page, field, 'not-my-password');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('This isn’t your password. Nothing was deleted.');
  await expect(field).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(password);
  await press(page, dialog.getByRole('button', { name: 'Delete my account' }));
  await expect(dialog).toHaveCount(0);
  await expect(main).toBeFocused();
  await press(page, main.getByRole('button', { name: 'Keep my account' }).first());
  await expect(main.getByRole('button', { name: 'Keep my account' })).toHaveCount(0);
  await expect(main).toBeFocused();
});

test('a session is moved, called off and booked again by keyboard alone', async ({ page, open, product }) => {
  test.slow();
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Nora Keys' });
  const client = someone('keys');
  await signIn(page, client);
  const [start] = await offeredTimes(page, product, specialist);
  await bookDirectly(page, specialist, start!);
  await page.goto('/profile?tab=sessions');
  const actions = page.getByRole('button', { name: 'Actions for the appointment with Dr. Nora Keys' });
  const choose = async (name: string) => {
    await press(page, actions);
    const items = page.getByRole('menuitem');
    await expect(items.first()).toBeFocused();
    const at = (await items.allTextContents()).indexOf(name);
    for (let next = 1; next <= at; next += 1) {
      await page.keyboard.press('ArrowDown');
      await expect(items.nth(next)).toBeFocused();
    }
    await expect(page.getByRole('menuitem', { name, exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
  };
  const move = page.getByRole('dialog', { name: 'Reschedule' });
  await choose('Reschedule');
  await expectHoldsFocus(move);
  await press(page, move.getByRole('button', { name: 'Move appointment' }));
  await expect(move.getByText('Please choose a date.')).toBeVisible();
  await expectFocusKept(page, move);
  await press(page, move.getByRole('button', { name: 'Next month' }));
  await openDays(move);
  await page.keyboard.press('Tab');
  for (let day = 0; day < 14 && (await move.locator('td button:focus:enabled').count()) === 0; day += 1) {
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await press(page, (await openTimes(move)).first(), 'Space');
  await press(page, move.getByRole('button', { name: 'Move appointment' }));
  await expect(move).toHaveCount(0);
  await expect(actions).toBeFocused();
  expect(await storedAppointments(product, { client })).toMatchObject([{ sequence: 1 }]);

  await page.keyboard.press('Shift+Tab');
  await choose('Cancel appointment');
  const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });
  await expectHoldsFocus(question);
  await typeInto(page, question.getByLabel('Reason'), 'My plans have changed.');
  await press(page, question.getByRole('button', { name: 'Cancel appointment' }));
  await expect(page.getByRole('heading', { name: 'No upcoming sessions' })).toBeVisible();
  await expectFocusKept(page);
  const again = page.getByRole('button', { name: 'Book again with Dr. Nora Keys' });
  await peek(page, again, bookingDialog(page));
});

test('a review is sent and withdrawn by keyboard alone', async ({ page, open, product }) => {
  test.slow();
  const theirs = await open();
  const specialist = await becomeSpecialist(theirs, product, { name: 'Dr. Vera Stern' });
  await signIn(page, someone('keys'));
  const [start] = await offeredTimes(page, product, specialist);
  const id = await bookDirectly(page, specialist, start!);
  await moveInDatabase(product, id, new Date(Date.now() - 24 * 3_600_000));
  await call(theirs, `/api/appointments/${id}/complete`, {});
  await page.goto('/profile?tab=sessions');
  const dialog = page.getByRole('dialog', { name: 'How was your session?' });
  await peek(page, page.getByRole('button', { name: /^Review of the session/ }), dialog);
  await page.keyboard.press('Enter');
  await press(page, dialog.getByRole('button', { name: 'Send review' }));
  await expect(dialog.getByText('Please choose from one to five stars.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: '1 star, Poor' })).toBeFocused();
  await page.keyboard.press('Space');
  for (let star = 1; star < 5; star += 1) await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: '5 stars, Excellent' })).toBeChecked();
  await press(page, dialog.getByRole('button', { name: 'Send review' }));
  await expect(dialog).toHaveCount(0);
  const edit = page.getByRole('button', { name: /^Edit review of the session/ });
  await expect(edit).toBeFocused();
  await page.keyboard.press('Enter');
  await press(page, dialog.getByRole('button', { name: 'Withdraw review' }));
  const question = page.getByRole('alertdialog', { name: 'Withdraw your review?' });
  await expectHoldsFocus(question);
  await press(page, question.getByRole('button', { name: 'Withdraw review' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Review of the session/ })).toBeFocused();
});

test('a guest finds a resource, keeps it after signing in, and lets it go again by keyboard alone', async ({
  page,
}) => {
  await page.goto('/resources');
  const search = page.getByRole('searchbox', { name: 'Search resources' });
  await typeInto(page, search, 'zzzz');
  await press(page, page.getByRole('button', { name: 'Show all resources' }));
  await expect(search).toBeFocused();
  await press(page, page.getByRole('button', { name: 'Grief Support' }));
  await expect(page.getByRole('button', { name: 'Grief Support' })).toBeFocused();
  await expect(page).toHaveURL('/resources?category=grief-support');
  await expect(page.getByRole('heading', { name: 'Featured Resources' })).toHaveCount(0);
  const card = cards(page).filter({ hasText: 'The First Year' });
  const heart = card.getByRole('button', { name: /to favourites$/ });
  await peek(page, heart, prompt(page));
  await page.keyboard.press('Enter');
  await typeInto(page, prompt(page).getByLabel('Email'), someone('keys'));
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(prompt(page)).toHaveCount(0);
  const kept = page.getByRole('button', { name: /^Remove The First Year.* from favourites$/ });
  await expect(kept).toBeFocused();

  await page.goto('/profile?tab=resources');
  await tabTo(page, page.getByRole('tab', { name: 'My Resources' }));
  await press(page, kept);
  await expect(page.getByRole('heading', { name: 'No resources yet' })).toBeVisible();
  await expectFocusKept(page);
});

test('a pastor writes for the library, withdraws and deletes it by keyboard alone', async ({ page }) => {
  await openAs(page, 'pastor', '/author');
  await press(page, page.getByRole('link', { name: 'New resource' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New resource');
  const title = page.getByLabel('Title');
  await press(page, page.getByRole('button', { name: 'Submit for approval' }));
  await expect(title).toBeFocused();
  await page.keyboard.type('Letters by hand');
  await press(page, page.getByRole('radio', { name: 'Book' }), 'Space');
  await tabTo(page, page.getByLabel('Category'));
  await page.keyboard.type('Grief');
  await typeInto(page, page.getByLabel('Description'), 'For whoever writes better than they speak.');
  await press(page, page.getByRole('radio', { name: /Read here/ }), 'ArrowDown');
  await expect(page.getByRole('radio', { name: /A file/ })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('radio', { name: /Read here/ })).toBeChecked();
  await typeInto(
    page,
    page.getByLabel('Text', { exact: true }),
    'A letter waits until it can be read. '.repeat(8),
  );
  await press(page, page.getByRole('button', { name: 'Submit for approval' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your resources');
  const entry = page.getByRole('listitem').filter({ hasText: 'Letters by hand' });
  await expect(entry).toContainText('Waiting for approval');
  await press(page, entry.getByRole('button', { name: /^Withdraw/ }));
  const withdraw = page.getByRole('alertdialog', { name: 'Withdraw this resource?' });
  await expectHoldsFocus(withdraw);
  await press(page, withdraw.getByRole('button', { name: 'Withdraw' }));
  await expect(entry).toContainText('Draft');
  await expectFocusKept(page);
  const question = page.getByRole('alertdialog', { name: 'Delete this resource?' });
  await peek(page, entry.getByRole('button', { name: /^Delete/ }), question);
  await page.keyboard.press('Enter');
  await press(page, question.getByRole('button', { name: 'Delete' }));
  await expect(entry).toHaveCount(0);
  await expectFocusKept(page);
});

test('a goal is set, changed, reached, taken up again and brought back by keyboard alone', async ({
  page,
}) => {
  await openAs(page, someone('keys'), '/growth');
  const form = page.getByRole('dialog');
  await peek(page, page.getByRole('button', { name: 'Add a goal' }), form);
  await page.keyboard.press('Enter');
  await typeInto(page, form.getByLabel('What do you want to reach?'), 'Walk every morning');
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
  await expectFocusKept(page);
  const more = page.getByRole('button', { name: 'More about “Walk every morning”' });
  await press(page, more);
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expectHoldsFocus(form);
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await press(page, page.getByRole('button', { name: 'I reached it' }));
  await expect(page.getByText('You reached it.')).toBeVisible();
  await expectFocusKept(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('You reached it.')).toHaveCount(0);
  await expectFocusKept(page);
  await press(page, more);
  // The menu has to have the focus before it hears keys.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem').last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(more).toHaveCount(0);
  await expectFocusKept(page);
  await press(page, page.getByRole('button', { name: 'Undo' }));
  await expect(more).toBeVisible();
});

test('a journal entry is written, changed and deleted, all by keyboard', async ({ page }) => {
  await openAs(page, someone('keys'), '/growth');
  await tabTo(page, page.getByRole('tab', { name: 'Goals' }));
  await page.keyboard.press('ArrowRight');
  const text = page.getByLabel('What is on your heart?');
  await typeInto(page, text, 'The quiet was loud today.');
  await tabTo(page, page.getByLabel('How was this day?'));
  await page.keyboard.type('Low');
  await press(page, page.getByRole('button', { name: 'Save entry' }));
  const entry = page.getByRole('listitem').filter({ hasText: 'The quiet was loud today.' });
  await expect(entry).toContainText('Low');
  await expectFocusKept(page);
  const edit = page.getByRole('button', { name: /^Edit the entry/ });
  await press(page, edit);
  const changed = page.getByRole('listitem').getByLabel('What is on your heart?');
  await expect(changed).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('And then it was peace.');
  await press(page, page.getByRole('button', { name: 'Save changes' }));
  await expect(edit).toBeFocused();
  const question = page.getByRole('alertdialog', { name: 'Delete this entry?' });
  await peek(page, page.getByRole('button', { name: /^Delete the entry/ }), question);
  await page.keyboard.press('Enter');
  await press(page, question.getByRole('button', { name: 'Delete entry' }));
  await expect(page.getByText('Your first page is blank')).toBeVisible();
  await expectFocusKept(page);
});

test('prayer is asked for, answered, taken up again and deleted by keyboard alone', async ({ page }) => {
  await openAs(page, someone('keys'), '/growth?tab=prayer');
  const form = page.getByRole('dialog', { name: 'Ask for prayer' });
  const ask = page.getByRole('main').getByRole('button', { name: 'Ask for prayer' });
  await peek(page, ask, form);
  await page.keyboard.press('Enter');
  await press(page, form.getByRole('button', { name: 'Ask for prayer' }));
  await expect(form.getByLabel('What would you like prayer for?')).toBeFocused();
  await page.keyboard.type('For rest at night');
  await press(page, form.getByRole('radio', { name: /One counsellor/ }), 'Space');
  const counsellor = form.getByLabel('Which counsellor?');
  await typeInto(page, counsellor, 'whitfield');
  await expect(form.getByRole('option', { name: /^Dr. Sarah Whitfield/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(counsellor).toHaveValue(/^Dr. Sarah Whitfield/);
  await press(page, form.getByRole('button', { name: 'Ask for prayer' }));
  await expect(form).toHaveCount(0);
  await expectFocusKept(page);
  await press(page, page.getByRole('button', { name: 'It was answered' }));
  await expect(page.getByRole('button', { name: 'It was answered' })).toHaveCount(0);
  await expectFocusKept(page);
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  const question = page.getByRole('alertdialog');
  await peek(page, remove, question);
  await page.keyboard.press('Enter');
  await press(page, question.getByRole('button', { name: 'Delete request' }));
  await expect(page.getByText('You don’t have to carry it alone')).toBeVisible();
  await expectFocusKept(page);
});

test('contact, questions and the devotional by mail go by keyboard alone', async ({ page }) => {
  await page.goto('/contact');
  await press(page, page.getByRole('button', { name: 'Send Message' }));
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  for (const words of ['Ruth Amsel', someone('keys'), 'A question', 'How do I begin?']) {
    await page.keyboard.type(words);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Message sent', { exact: false }).first()).toBeVisible();
  await expectFocusKept(page);

  await page.goto('/faq');
  const summaries = page.locator('summary');
  await press(page, summaries.first());
  await expect(page.locator('details[open]')).toHaveCount(1);
  await press(page, summaries.last(), 'Space');
  await expect(page.locator('details[open]')).toHaveCount(1);
  await expect(summaries.last()).toBeFocused();

  await page.goto('/devotional');
  await peek(page, page.getByRole('button', { name: 'Send me this every morning' }), prompt(page));
  await page.keyboard.press('Enter');
  await typeInto(page, prompt(page).getByLabel('Email'), someone('keys'));
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  const stop = page.getByRole('button', { name: 'Stop these mails' });
  await expect(stop).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send me this every morning' })).toBeFocused();
});

test('the crisis lines open from inside the booking dialog by keyboard alone, and leave what was typed', async ({
  page,
}) => {
  // Those whom other journeys make offer none of it: what is passed on the way stays as much as it is.
  await openAs(page, someone('keys'), '/service/teens');
  await press(page, page.getByRole('button', { name: 'Book Session Now' }));
  const dialog = bookingDialog(page);
  await expectHoldsFocus(dialog);
  await typeInto(page, dialog.getByLabel('Full name'), 'Ruth Amsel');
  const help = dialog.getByRole('button', { name: 'Need help now?' });
  await press(page, help);
  await tabTo(page, page.locator(':popover-open').getByRole('link', { name: /988/ }), 3);
  await page.keyboard.press('Escape');
  await expect(help).toBeFocused();
  await expect(dialog.getByLabel('Full name')).toHaveValue('Ruth Amsel');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Book Session Now' })).toBeFocused();
});
