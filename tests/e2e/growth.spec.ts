import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { call, expect, forgetSession, signIn, someone, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { expectFair, expectNoViolation } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

/** Somebody new, on the page of their growth. */
async function open(page: Page, tab = ''): Promise<void> {
  await signIn(page, someone('growing'));
  await page.goto(`/growth${tab && `?tab=${tab}`}`);
}

async function setFlag(
  product: { query: (sql: string, values?: unknown[]) => Promise<unknown> },
  enabled: boolean,
): Promise<void> {
  await product.query(`update feature_flags set enabled = $1 where id = 'wellness_tracking'`, [enabled]);
}

test('a guest who opens growth is asked to sign in, and goes on there', async ({ page }) => {
  await page.goto('/growth');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt).toBeVisible();
  await expectFair(page, 'the prompt', { dialog: prompt });
  await prompt.getByRole('button', { name: 'Close' }).click();
  await expectFair(page, 'growth for a guest', { dark: true });
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await prompt.getByLabel('Email').fill(someone('growing'));
  await prompt.getByLabel('Password', { exact: true }).fill('peace-be-with-you');
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'What would you like to walk towards?' })).toBeVisible();
});

test('a goal is set with its steps, ticked off and reached by the keyboard alone', async ({ page }) => {
  await open(page);
  await expectFair(page, 'no goals yet', { dark: true });
  await tabTo(page, page.getByRole('button', { name: 'Add a goal' }));
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'A new goal' });
  await expect(form).toBeVisible();
  const title = form.getByLabel('What do you want to reach?');
  await tabTo(page, form.getByRole('button', { name: 'Save goal' }));
  await page.keyboard.press('Enter');
  await expect(form.getByText('Please say what you want to reach.')).toBeVisible();
  await expect(title).toBeFocused();
  await expectFair(page, 'a goal with a problem', { dialog: form, dark: true });
  await page.keyboard.type('Walk every morning');
  await tabTo(page, form.getByLabel('Step 1', { exact: true }));
  await page.keyboard.type('Put the shoes by the door');
  await tabTo(page, form.getByRole('button', { name: 'Add a step' }));
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('Step 2', { exact: true })).toBeFocused();
  await page.keyboard.type('Go once around the lake');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  const goal = page.getByRole('listitem').filter({ hasText: 'Walk every morning' });
  await expect(goal.getByText('0 of 2 steps done')).toBeVisible();
  await tabTo(page, goal.getByRole('checkbox', { name: /Put the shoes/ }));
  await page.keyboard.press('Space');
  await expect(goal.getByText('1 of 2 steps done')).toBeVisible();
  await page.reload();
  await expect(goal.getByRole('checkbox', { name: /Put the shoes/ })).toBeChecked();
  await expectFair(page, 'goals', { dark: true });
  await tabTo(page, goal.getByRole('button', { name: 'I reached it' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('You reached it.')).toBeVisible();
  await expectNoViolation(page, 'a goal that was reached');
  await expect(page.getByRole('heading', { name: 'Reached', exact: true })).toBeVisible();
});

test('a goal that was removed comes back with Undo', async ({ page }) => {
  await open(page);
  await call(page, '/api/goals', { title: 'Rest on Sundays' });
  await page.reload();
  await page.getByRole('button', { name: 'More about “Rest on Sundays”' }).click();
  await expectNoViolation(page, 'the menu of a goal');
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'Rest on Sundays' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Rest on Sundays' })).toBeVisible();
});

test('a journal entry is written, changed and deleted by the keyboard alone, and asked for before it is lost', async ({
  page,
}) => {
  await open(page, 'journal');
  await expect(page.getByText('Your first page is blank')).toBeVisible();
  await expectFair(page, 'an empty journal', { dark: true });
  const text = page.getByLabel('What is on your heart?');
  await tabTo(page, page.getByRole('button', { name: 'Save entry' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Write a few words first.')).toBeVisible();
  await expect(text).toBeFocused();
  await expectNoViolation(page, 'an entry with a problem');
  await page.keyboard.type('The quiet was loud today.');

  // Nothing of it is kept on the device, so leaving asks first.
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).first().click();
  const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect(leave).toBeVisible();
  await expectNoViolation(page, 'leaving without saving');
  await page.keyboard.press('Escape');
  await expect(leave).toBeHidden();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain('quiet was loud');

  await page.getByLabel('How was this day?').selectOption('Low');
  await page.getByRole('button', { name: 'Save entry' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'The quiet was loud today.' });
  await expect(entry).toBeVisible();
  await expect(entry.getByText('Low')).toBeVisible();
  await expect(text).toHaveValue('');
  await page.reload();
  await expect(entry).toBeVisible();
  await expectFair(page, 'a journal', { dark: true });

  await tabTo(page, entry.getByRole('button', { name: /^Edit the entry/ }));
  await page.keyboard.press('Enter');
  const changed = page.getByRole('listitem').getByLabel('What is on your heart?');
  await changed.fill('And then it was peace.');
  await expectNoViolation(page, 'an entry that is edited');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const after = page.getByRole('listitem').filter({ hasText: 'And then it was peace.' });
  await expect(after.getByRole('button', { name: /^Edit the entry/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete this entry?' });
  await expect(dialog).toBeVisible();
  await expectFair(page, 'deleting an entry', { dialog, dark: true });
  await dialog.getByRole('button', { name: 'Delete entry' }).click();
  await expect(after).toBeHidden();
  await expect(page.getByText('Your first page is blank')).toBeVisible();
});

test('a journal is nobody else’s, an administrator’s included', async ({ page, open: another }) => {
  await open(page, 'journal');
  const { id } = await call<{ id: string }>(page, '/api/journal', { text: 'For my eyes alone' });
  for (const who of ['admin', 'pastor', someone('stranger')]) {
    const other = await another();
    await signIn(other, who);
    const { origin } = new URL(page.url());
    for (const [path, data] of [
      [`/api/journal/${id}`, { text: 'Mine' }],
      [`/api/journal/${id}/remove`, {}],
    ] as const) {
      const answer = await other.request.post(`${origin}${path}`, { headers: { origin }, data });
      expect(answer.status(), `${who} ${path}`).toBe(404);
    }
    expect(await (await other.request.get(`${origin}/api/journal`)).text()).not.toContain('my eyes');
  }
});

test('a client asks the pastors to pray, a pastor prays, and the client sees it at once', async ({
  page,
  open: another,
}) => {
  await open(page, 'prayer');
  await expect(page.getByText('You don’t have to carry it alone')).toBeVisible();
  await expectFair(page, 'no prayer requests', { dark: true });
  await tabTo(page, page.getByRole('button', { name: 'Ask for prayer' }));
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Ask for prayer' });
  await expect(form).toBeVisible();
  await form.getByRole('button', { name: 'Ask for prayer' }).click();
  await expect(form.getByText('Please write what you would like prayer for.')).toBeVisible();
  await expect(form.getByLabel('What would you like prayer for?')).toBeFocused();
  await page.keyboard.type('For my mother in hospital');
  await form.getByRole('radio', { name: /One counsellor/ }).check();
  await expect(form.getByLabel('Which counsellor?')).toBeVisible();
  await form.getByRole('button', { name: 'Ask for prayer' }).click();
  await expect(form.getByLabel('Which counsellor?')).toBeFocused();
  await expectFair(page, 'asking for prayer', { dialog: form, dark: true });
  await form.getByRole('radio', { name: /The pastors/ }).check();

  const pastor = await another();
  await signIn(pastor, 'pastor');
  await pastor.goto('/prayers');
  await expect(pastor.getByRole('heading', { name: 'Prayer requests', level: 1 })).toBeVisible();
  await expect(pastor.getByText('For my mother, who goes into hospital')).toBeVisible();
  await tabTo(page, form.getByRole('button', { name: 'Ask for prayer' }));
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect(page.getByText('When somebody has prayed, you will read it here.')).toBeVisible();

  const asked = pastor.getByRole('listitem').filter({ hasText: 'For my mother in hospital' });
  await expect(asked).toBeVisible();
  await expectFair(pastor, 'prayer requests', { dark: true });
  await tabTo(pastor, asked.getByRole('button', { name: /^I prayed/ }));
  await pastor.keyboard.press('Enter');
  await expect(asked.getByText(/^You prayed on/)).toBeVisible();
  await expect(page.getByText(/Pastor Daniel Reyes prayed on/)).toBeVisible();
  await tabTo(pastor, asked.getByRole('button', { name: 'Leave a note' }));
  await pastor.keyboard.press('Enter');
  await expect(asked.getByLabel('A note to them')).toBeFocused();
  await pastor.keyboard.type('We remembered her this morning.');
  await expectNoViolation(pastor, 'writing a note');
  await asked.getByRole('button', { name: 'Save note' }).click();
  await expect(page.getByText('We remembered her this morning.')).toBeVisible();
  await expectFair(page, 'a prayer request', { dark: true });

  await asked.getByRole('button', { name: /^Undo/ }).click();
  await expect(page.getByText('We remembered her this morning.')).toBeHidden();
  await page.getByRole('button', { name: 'It was answered' }).click();
  await expect(asked).toBeHidden();
  await pastor.getByRole('radio', { name: 'Answered' }).check();
  await expect(asked).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete request' }).click();
  await expect(page.getByText('You don’t have to carry it alone')).toBeVisible();
  await expect(asked).toBeHidden();
});

test('a request to one counsellor is read by that one alone, and taken back', async ({
  page,
  open: another,
}) => {
  await open(page, 'prayer');
  await page.getByRole('button', { name: 'Ask for prayer' }).click();
  const form = page.getByRole('dialog', { name: 'Ask for prayer' });
  await form.getByLabel('What would you like prayer for?').fill('For rest at night');
  await form.getByRole('radio', { name: /One counsellor/ }).check();
  const counsellors = form.getByLabel('Which counsellor?');
  await counsellors.fill('nobody of that name');
  await expect(form.getByText('Nothing fits what you typed.')).toBeVisible();
  await counsellors.fill('whitfield');
  await expect(form.getByRole('option', { name: /^Dr. Sarah Whitfield/ })).toBeVisible();
  await counsellors.press('Enter');
  await expect(counsellors).toHaveValue(/^Dr. Sarah Whitfield, /);
  await form.getByRole('switch', { name: /Show my name/ }).uncheck();
  await form.getByRole('button', { name: 'Ask for prayer' }).click();
  await expect(page.getByText('To Dr. Sarah Whitfield')).toBeVisible();
  const doctor = await another();
  await signIn(doctor, 'doctor');
  await doctor.goto('/prayers');
  const asked = doctor.getByRole('listitem').filter({ hasText: 'For rest at night' });
  await expect(asked.getByRole('heading', { name: 'Somebody' })).toBeVisible();
  const pastor = await another();
  await signIn(pastor, 'pastor');
  await pastor.goto('/prayers');
  await expect(pastor.getByText('For my mother, who goes into hospital')).toBeVisible();
  await expect(pastor.getByText('For rest at night')).toBeHidden();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(asked).toBeHidden();
});

test('prayer requests are shown to doctors and pastors alone', async ({ page }) => {
  await signIn(page, 'client');
  await page.goto('/prayers');
  await expect(page.getByText(/Access denied/i)).toBeVisible();
  await expectFair(page, 'prayer requests for a client');
});

test('progress is counted from what a person did', async ({ page, product }) => {
  const email = someone('counted');
  await signIn(page, email);
  await page.goto('/profile?tab=progress');
  const figures = page.getByRole('tabpanel', { name: 'Progress' }).getByRole('definition');
  await expect(figures).toHaveText(['0', '0', '0', '0']);
  const [resource] = await product.query<{ id: string }>(
    `select id from resources where status = 'published' limit 1`,
  );
  await call(page, `/api/resources/${resource!.id}/take`, {});
  const goal = await call<{ id: string }>(page, '/api/goals', { title: 'Call my brother' });
  await product.query('update goals set achieved_at = now() where id = $1', [goal.id]);
  await page.reload();
  await expect(figures).toHaveText(['0', '1', '1', '1']);
  await forgetSession(page);
  await signIn(page, 'client');
  await page.goto('/profile?tab=progress');
  const [held] = await product.query<{ sessions: number }>(
    `select count(*)::integer as sessions from appointments join users on users.id = client_id
     where email = 'client@italk.example' and status = 'completed'`,
  );
  await expect(figures.first()).toHaveText(String(held!.sessions));
});

test('progress shows its figures and picture, and downloads as a PDF without private words', async ({
  page,
}) => {
  await signIn(page, 'client');
  await page.goto('/profile?tab=progress');
  const panel = page.getByRole('tabpanel', { name: 'Progress' });
  for (const label of ['Sessions completed', 'Days active', 'Resources used', 'Goals achieved']) {
    await expect(panel.getByText(label, { exact: true })).toBeVisible();
  }
  await expect(panel.getByRole('table', { name: 'The last twelve months' })).toBeAttached();
  await expectFair(page, 'progress', { dark: true });
  const saving = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download Progress Report' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('progress-report.pdf');
  const { text } = await extractText(
    await getDocumentProxy(new Uint8Array(await readFile(await saved.path()))),
    {
      mergePages: true,
    },
  );
  expect(text).toContain('Hannah Brooks');
  expect(text).toContain('Read one psalm each morning for a month');
  expect(text).not.toMatch(/candle|hospital/);
});

test('what stands in the chosen tab of growth comes with the page, to be pressed once its script runs', async ({
  open: openBrowser,
}) => {
  const page = await openBrowser({ javaScriptEnabled: false });
  await signIn(page, 'client');
  // The day on which a goal is due depends on the person's zone.
  await call(page, '/api/me/preferences', { timeZone: 'America/Chicago' });
  await page.goto('/growth');
  await expect(page.getByRole('heading', { name: 'Read one psalm each morning for a month' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a goal' })).toBeDisabled();
  await page.goto('/growth?tab=journal');
  await expect(page.getByRole('heading', { name: 'A walk by the river' })).toBeVisible();
  await expect(page.getByLabel('What is on your heart?')).toBeDisabled();
});

test('nothing done yet is said kindly, and a failure can be tried again', async ({ page, expectNoise }) => {
  expectNoise(/status of 500|Failed to load resource/);
  await signIn(page, someone('growing'));
  // The tab that is opened first comes with the page; the others are asked for.
  await page.goto('/growth?tab=prayer');
  await page.route('**/api/me/progress', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.getByRole('tab', { name: 'Progress' }).click();
  await expect(page.getByText('This couldn’t be loaded.')).toBeVisible();
  await expectFair(page, 'progress that failed', { dark: true });
  await page.unroute('**/api/me/progress');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Your first session, journal entry or step will show here.')).toBeVisible();
  await expectFair(page, 'no progress yet');
  for (const [tab, path] of [
    ['Goals', '**/api/goals?*'],
    ['Journal', '**/api/journal?*'],
    ['Prayer', '**/api/prayers?*'],
  ] as const) {
    if (tab === 'Prayer') await page.goto('/growth');
    await page.route(path, (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.getByRole('tab', { name: tab }).click();
    const panel = page.getByRole('tabpanel', { name: tab });
    await expect(panel.getByText('This couldn’t be loaded.')).toBeVisible();
    await expectNoViolation(page, `${tab} that failed`);
    await page.unroute(path);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await expect(panel.getByText('This couldn’t be loaded.')).toBeHidden();
  }
});

test('what can’t be stored keeps what was typed, and says so', async ({ page, expectNoise }) => {
  expectNoise(/status of 400|Failed to load resource/);
  await open(page, 'journal');
  const text = page.getByLabel('What is on your heart?');
  await text.fill('x'.repeat(15_001));
  await page.getByRole('button', { name: 'Save entry' }).click();
  await expect(page.getByText('An entry holds 15,000 characters. Please begin a second one.')).toBeVisible();
  await expect(text).toHaveValue('x'.repeat(15_001));
  await expect(text).toBeFocused();
  await page.route('**/api/journal', (route) => route.abort());
  await text.fill('Still here');
  await page.getByRole('button', { name: 'Save entry' }).click();
  await expect(page.getByRole('alert').getByText(/What you typed is still here/)).toBeVisible();
  await expect(text).toHaveValue('Still here');
  await expectNoViolation(page, 'an entry that couldn’t be saved');
  await page.unroute('**/api/journal');
  await page.getByRole('button', { name: 'Save entry' }).click();
  await expect(page.getByRole('listitem').getByText('Still here')).toBeVisible();
});

test('switched off, growth is hidden and refused', async ({ page, product, expectNoise }) => {
  expectNoise(/status of 404|404:|ErrorResponse/);
  await signIn(page, 'client');
  await setFlag(product, false);
  try {
    for (const path of ['/growth', '/prayers']) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Your growth');
    }
    for (const path of ['goals?state=open', 'journal', 'prayers', 'me/progress', 'me/progress-report.pdf']) {
      const answer = await page.request.get(`${product.url}/api/${path}`);
      expect(answer.status(), path).toBe(404);
    }
    await page.goto('/profile?tab=progress');
    await expect(page.getByText('Progress is switched off for now.')).toBeVisible();
    await expectNoViolation(page, 'progress that is switched off');
  } finally {
    await setFlag(product, true);
  }
  await page.goto('/growth');
  await expect(page.getByRole('heading', { level: 1, name: 'Your growth' })).toBeVisible();
});
