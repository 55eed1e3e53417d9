import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const settings = recordedFor('admin')['settings.admin'];
type Change = { setting: keyof typeof settings.values; to: string | number | boolean };

/** Settings after these changes, with their history entry. */
function after(changes: readonly Change[], kind: 'saved' | 'reset' = 'saved', from = settings) {
  const version = from.version + 1;
  const last = {
    ...from.last,
    version,
    kind,
    byPerson: true,
    changes: changes.map(({ setting, to }) => ({ setting, from: from.values[setting], to })),
  };
  const values = { ...from.values, ...Object.fromEntries(changes.map(({ setting, to }) => [setting, to])) };
  return {
    stored: { version, values, last } as typeof settings,
    history: { entries: [last, from.last], more: false },
  };
}

/** Mocks the API state after a save, by this page or another. */
function knows({ stored, history }: ReturnType<typeof after>) {
  return { 'settings.admin': stored, 'settings.history': history };
}

const save = page.getByRole('button', { name: 'Save Changes' });
const field = (name: string) => page.getByLabelText(name);
const toast = (text: string) => page.getByText(text, { exact: true }).first();
const question = (name: string) => page.getByRole('alertdialog', { name });
const timeout = field('Session timeout (minutes)');
const news = page.getByRole('alert').filter({ hasText: 'Someone else changed these settings' });

const sections = [
  'Site Configuration',
  'Appointment Settings',
  'Notification Settings',
  'Security Settings',
  'System Settings',
];

async function openSettings(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/settings?tab=settings', { as: 'admin', answers });
  for (const name of sections) await page.getByRole('button', { name }).click();
  await expect.element(timeout).toBeVisible();
}

test('shows five sections, with nothing to save at first', { tags: ['long'] }, async () => {
  await openSettings();
  for (const name of sections) await expect.element(page.getByRole('region', { name })).toBeVisible();
  await expect.poll(() => page.getByText('Not available yet').elements()).toHaveLength(4);
  await expect.element(save).toBeDisabled();
});

for (const width of [phone.width, 1280])
  test(`folds sections to their values at ${width} pixels, and keeps unsaved changes open`, async () => {
    await page.viewport(width, phone.height);
    await openPage('/admin/settings?tab=settings', { as: 'admin' });
    const security = page.getByRole('region', { name: 'Security Settings' });
    await expect.element(security).toMatchTextContent(/Session timeout\s*30 minutes/);
    await expect.element(timeout).not.toBeInTheDocument();
    expect(document.querySelector('form')!.getBoundingClientRect().height).toBeLessThan(1300);
    await expectFair('folded settings');
    await page.viewport(width, phone.height);
    const pressFold = async () => {
      (security.getByRole('button', { name: 'Security Settings' }).element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
    };
    await pressFold();
    await timeout.fill('4');
    await pressFold();
    await expect.element(timeout).toBeVisible();
    await save.click();
    await expect.element(timeout).toHaveFocus();
    await page.getByRole('button', { name: 'Discard' }).click();
    await pressFold();
    await expect.element(timeout).not.toBeInTheDocument();
  });

test('opens the section that a link names', async () => {
  await openPage('/admin/settings?tab=settings#settings-security', { as: 'admin' });
  await expect.element(timeout).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Security Settings' })).toHaveFocus();
  await expect.element(field('Site name')).not.toBeInTheDocument();
});

for (const width of [phone.width, 1280])
  test(
    `finds settings by their words at ${width} pixels, and keeps unsaved ones`,
    { tags: ['long'] },
    async () => {
      await page.viewport(width, phone.height);
      await openPage('/admin/settings?tab=settings', { as: 'admin' });
      const search = page.getByRole('searchbox', { name: 'Search settings' });
      await search.fill('timeout session');
      await expect.element(timeout).toBeVisible();
      await expect.element(page.getByRole('status').filter({ hasText: '1 setting found' })).toBeVisible();
      await expect.element(field('Site name')).not.toBeInTheDocument();
      await timeout.fill('45');
      await search.fill('no such thing');
      await expect.element(page.getByText('No settings match “no such thing”.')).toBeVisible();
      await expect.element(timeout).toHaveValue('45');
      await userEvent.keyboard('{Enter}');
      expect(askedFor('settings.save')).toEqual([]);
      await search.fill('');
      await expect.element(page.getByRole('region', { name: 'Site Configuration' })).toBeVisible();
      await expect.element(timeout).toHaveValue('45');
    },
  );

test('explains number limits and keeps input', { tags: ['long'] }, async () => {
  await openSettings();
  await field('Site name').fill('Cedar House');
  for (const wrong of ['abc', '4', '1441', '']) {
    await timeout.fill(wrong);
    await save.click();
    await expect.element(timeout).toHaveFocus();
    await expect.element(timeout).toHaveAccessibleDescription(/Enter a whole number from 5 to 1440\./);
  }
  expect(askedFor('settings.save')).toEqual([]);
  await expectFair('the settings with something wrong in them');
  await expect.element(field('Site name')).toHaveValue('Cedar House');
});

test('saves only changes and adds them to the history', { tags: ['long'] }, async () => {
  const saved = after([
    { setting: 'siteName', to: 'Cedar House' },
    { setting: 'sessionTimeout', to: 45 },
  ]);
  await openSettings();
  await field('Site name').fill('Cedar House');
  await timeout.fill('45');
  await expect.element(timeout).toHaveAccessibleDescription(/Not saved yet\. Saved value: 30 minutes/);
  await expect.element(page.getByText('Unsaved changes: 2')).toBeVisible();
  await pressWith(save, { 'settings.save': saved.stored, ...knows(saved) });
  await expect.element(toast('Settings Saved')).toBeVisible();
  await expect.element(toast('All configuration changes have been saved successfully.')).toBeVisible();
  await expect
    .poll(() => askedFor('settings.save'))
    .toEqual([{ version: settings.version, change: { siteName: 'Cedar House', sessionTimeout: 45 } }]);
  const entry = page.getByRole('region', { name: 'History' }).getByRole('listitem').first();
  await expect.element(entry).toMatchTextContent('Site name: “iTalk Health” → “Cedar House”');
  await expect.element(entry).toMatchTextContent('Session timeout: 30 minutes → 45 minutes');
  await expect.element(save).toBeDisabled();
});

test('keeps input when saving fails', { tags: ['long'] }, async () => {
  await openSettings({ 'settings.save': unreachable });
  await timeout.fill('45');
  await save.click();
  await expect.element(page.getByText('We couldn’t save your changes')).toBeVisible();
  await expect.element(timeout).toHaveValue('45');
});

test('asks before leaving unsaved changes', { tags: ['long'] }, async () => {
  await openSettings();
  await timeout.fill('45');
  await page
    .getByRole('navigation', { name: 'Portal sections' })
    .getByRole('link', { name: 'Audit Logs' })
    .click();
  await question('Leave without saving?').getByRole('button', { name: 'Stay here' }).click();
  await expect.element(timeout).toHaveValue('45');
});

test('previews a reset', { tags: ['long'] }, async () => {
  const saved = after([{ setting: 'sessionTimeout', to: 45 }]).stored;
  const reset = after([{ setting: 'sessionTimeout', to: 30 }], 'reset', saved);
  await openSettings({ 'settings.admin': saved, 'settings.reset': reset.stored });
  await expect.element(timeout).toHaveValue('45');
  await page.getByRole('button', { name: 'Reset to Default' }).click();
  const ask = question('Reset all settings?');
  await expect.element(ask).toMatchTextContent('Session timeout: 45 minutes → 30 minutes');
  await expectFair('the question before a reset');
  answer(knows(reset));
  await ask.getByRole('button', { name: 'Reset to Default' }).click();
  await expect.element(toast('Settings Reset')).toBeVisible();
  await expect.element(toast('All settings have been reset to default values.')).toBeVisible();
  await expect.element(timeout).toHaveValue('30');
  await expect
    .element(page.getByRole('region', { name: 'History' }).getByRole('listitem').first())
    .toMatchTextContent('reset to defaults');
  await expect.poll(() => askedFor('settings.reset')).toEqual([{ version: saved.version }]);
});

test('shows another administrator’s concurrent save without losing input', { tags: ['long'] }, async () => {
  const reminder = field('Reminder (minutes before)');
  const notice = field('Booking notice (hours)');
  const theirs = after([{ setting: 'reminderTime', to: 90 }]);
  await openSettings();
  await reminder.fill('45');
  await notice.fill('36');
  answer(knows(theirs));
  tellPage({ type: 'site.changed' });
  await expect.element(news).toMatchTextContent('Reminder: 60 minutes → 90 minutes');
  await expect.element(news).toMatchTextContent('You changed some of the same settings: Reminder.');
  await expectFair('settings that another saved meanwhile');
  await save.click();
  expect(askedFor('settings.save')).toEqual([]);
  await expect.element(reminder).toHaveValue('45');
  await news.getByRole('button', { name: 'Use theirs' }).click();
  await expect.element(reminder).toHaveValue('90');
  await expect.element(notice).toHaveValue('36');
  const both = after([{ setting: 'bookingAdvanceNotice', to: 36 }], 'saved', theirs.stored);
  await pressWith(save, { 'settings.save': both.stored, ...knows(both) });
  await expect.element(toast('Settings Saved')).toBeVisible();
  await expect
    .poll(() => askedFor('settings.save'))
    .toEqual([{ version: theirs.stored.version, change: { bookingAdvanceNotice: 36 } }]);
});

test('recognizes its own save when the answer was lost', async () => {
  await openSettings({ 'settings.save': unreachable });
  await field('Site name').fill('Cedar House');
  await save.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('We couldn’t save your changes');
  await timeout.fill('45');
  await expect.element(page.getByText('Unsaved changes: 2')).toBeVisible();
  const own = after([{ setting: 'siteName', to: 'Cedar House' }]);
  answer({
    ...knows(own),
    'settings.save': after([{ setting: 'sessionTimeout', to: 45 }], 'saved', own.stored).stored,
  });
  tellPage({ type: 'site.changed' });
  await expect.element(page.getByText('Unsaved changes: 1')).toBeVisible();
  await expect.element(news).not.toBeInTheDocument();
  await save.click();
  await expect.element(toast('Settings Saved')).toBeVisible();
  await expect
    .poll(() => askedFor('settings.save'))
    .toMatchObject([
      { version: settings.version },
      { version: settings.version + 1, change: { sessionTimeout: 45 } },
    ]);
});

test('follows another administrator’s save while nothing is edited', async () => {
  await openSettings();
  answer(knows(after([{ setting: 'bookingAdvanceNotice', to: 36 }])));
  tellPage({ type: 'site.changed' });
  await expect.element(field('Booking notice (hours)')).toHaveValue('36');
  await expect.element(news).not.toBeInTheDocument();
});

test('reports a save conflict the page hasn’t heard about yet', { tags: ['long'] }, async () => {
  await openSettings({
    'settings.save': () => {
      answer(knows(after([{ setting: 'reminderTime', to: 90 }])));
      return refusal(409, 'conflict', 'settings_changed');
    },
  });
  await timeout.fill('45');
  await save.click();
  await expect.element(news).toMatchTextContent('Reminder: 60 minutes → 90 minutes');
  await expect.element(timeout).toHaveValue('45');
});

test('asks before closing the site', { tags: ['long'] }, async () => {
  const closed = after([{ setting: 'maintenanceMode', to: true }]);
  await openSettings();
  await field('Maintenance mode').click();
  await save.click();
  expect(askedFor('settings.save')).toEqual([]);
  await pressWith(question('Close the site?').getByRole('button', { name: 'Save and close the site' }), {
    'settings.save': closed.stored,
    ...knows(closed),
  });
  await expect.element(page.getByText('Maintenance mode is on')).toBeVisible();
  await expect.poll(() => askedFor('settings.save')).toMatchObject([{ change: { maintenanceMode: true } }]);
});
