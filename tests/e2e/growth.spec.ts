import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';

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
  await prompt.getByLabel('Email').fill(someone('growing'));
  await prompt.getByLabel('Password', { exact: true }).fill('peace-be-with-you');
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'What would you like to walk towards?' })).toBeVisible();
});

test('a goal is set with its steps, ticked off and reached', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Add a goal' }).click();
  const form = page.getByRole('dialog', { name: 'A new goal' });
  await form.getByLabel('What do you want to reach?').fill('Walk every morning');
  await form.getByLabel('Step 1', { exact: true }).fill('Put the shoes by the door');
  await form.getByRole('button', { name: 'Add a step' }).click();
  await form.getByLabel('Step 2', { exact: true }).fill('Go once around the lake');
  await form.getByRole('button', { name: 'Save goal' }).click();
  const goal = page.getByRole('listitem').filter({ hasText: 'Walk every morning' });
  await goal.getByRole('checkbox', { name: /Put the shoes/ }).click();
  await expect(goal.getByText('1 of 2 steps done')).toBeVisible();
  await page.reload();
  await expect(goal.getByRole('checkbox', { name: /Put the shoes/ })).toBeChecked();
  await goal.getByRole('button', { name: 'I reached it' }).click();
  await expect(page.getByRole('heading', { name: 'Reached', exact: true })).toBeVisible();
});

test('a journal entry is written, changed and deleted', async ({ page }) => {
  await open(page, 'journal');
  const text = page.getByLabel('What is on your heart?');
  await text.fill('The quiet was loud today.');
  await page.getByRole('button', { name: 'Save entry' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'The quiet was loud today.' });
  await expect(entry).toBeVisible();
  await page.reload();
  await entry.getByRole('button', { name: /^Edit the entry/ }).click();
  await page.getByRole('listitem').getByLabel('What is on your heart?').fill('And then it was peace.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const after = page.getByRole('listitem').filter({ hasText: 'And then it was peace.' });
  await after.getByRole('button', { name: /^Delete the entry/ }).click();
  await page.getByRole('button', { name: 'Delete entry', exact: true }).click();
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
  const pastor = await another();
  await signIn(pastor, 'pastor');
  await pastor.goto('/prayers');
  await expect(pastor.getByText('For my mother, who goes into hospital')).toBeVisible();
  await open(page, 'prayer');
  await page.getByRole('button', { name: 'Ask for prayer' }).click();
  const form = page.getByRole('dialog', { name: 'Ask for prayer' });
  await form.getByLabel('What would you like prayer for?').fill('For my mother in hospital');
  await form.getByRole('radio', { name: /The pastors/ }).check();
  await form.getByRole('button', { name: 'Ask for prayer' }).click();
  await expect(page.getByText('When somebody has prayed, you will read it here.')).toBeVisible();

  const asked = pastor.getByRole('listitem').filter({ hasText: 'For my mother in hospital' });
  await asked.getByRole('button', { name: /^I prayed/ }).click();
  await expect(page.getByText(/Pastor Daniel Reyes prayed on/)).toBeVisible();
  await asked.getByRole('button', { name: 'Leave a note' }).click();
  await asked.getByLabel('A note to them').fill('We remembered her this morning.');
  await asked.getByRole('button', { name: 'Save note' }).click();
  await expect(page.getByText('We remembered her this morning.')).toBeVisible();
  await asked.getByRole('button', { name: /^Undo/ }).click();
  await expect(page.getByText('We remembered her this morning.')).toBeHidden();
  await page.getByRole('button', { name: 'It was answered' }).click();
  await expect(asked).toBeHidden();
  await pastor.getByRole('radio', { name: 'Answered' }).check();
  await expect(asked).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete request' }).click();
  await expect(asked).toBeHidden();
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
});

test('progress downloads as a PDF without private words', async ({ page }) => {
  await signIn(page, 'client');
  await page.goto('/profile?tab=progress');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Progress Report' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('progress-report.pdf');
  const bytes = new Uint8Array(await readFile(await saved.path()));
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
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
  } finally {
    await setFlag(product, true);
  }
  await page.goto('/growth');
  await expect(page.getByRole('heading', { level: 1, name: 'Your growth' })).toBeVisible();
});
