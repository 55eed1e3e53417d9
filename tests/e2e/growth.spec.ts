import { readFile } from 'node:fs/promises';
import { extractText, getDocumentProxy } from 'unpdf';
import { becomeSpecialist } from './support/booking.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';
import { becomeClient } from './support/people.ts';

test(
  'signs a guest in to reach a goal, keep a private journal and download their progress',
  { tag: '@long' },
  async ({ page, open, product }) => {
    await page.goto('/growth');
    const prompt = page.getByRole('dialog', { name: "You're almost there!" });
    await prompt.getByLabel('Email').fill(someone('growing'));
    await prompt.getByLabel('Password', { exact: true }).fill(password);
    await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.getByRole('button', { name: 'Add a goal' }).click();
    const form = page.getByRole('dialog', { name: 'New goal' });
    await form.getByLabel('What’s your goal?').fill('Walk every morning');
    await form.getByLabel('Step 1', { exact: true }).fill('Put the shoes by the door');
    await form.getByRole('button', { name: 'Save goal' }).click();
    const goal = page.getByRole('listitem').filter({ hasText: 'Walk every morning' });
    await goal.getByRole('checkbox', { name: /Put the shoes/ }).click();
    await expect(goal.getByText('1 of 1 steps done')).toBeVisible();
    await page.reload();
    await expect(goal.getByRole('checkbox', { name: /Put the shoes/ })).toBeChecked();
    // The server renders the selected tab, disabled until the script runs.
    const rendered = await (await page.request.get('/growth')).text();
    expect(rendered).toMatch(/<h\d[^>]*>Walk every morning</);
    expect(rendered).toMatch(/<fieldset[^>]* disabled=""/);
    await goal.getByRole('button', { name: 'Mark as reached' }).click();
    await expect(page.getByRole('heading', { name: 'Reached', exact: true })).toBeVisible();

    await page.goto('/growth?tab=journal');
    await page.getByLabel('What’s on your heart?').fill('The quiet was loud today.');
    const written = page.waitForResponse(
      (answer) => answer.url().endsWith('/api/journal') && answer.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Save entry' }).click();
    const { id } = (await (await written).json()) as { id: string };
    await page.reload();
    await expect(page.getByRole('listitem').filter({ hasText: 'The quiet was loud today.' })).toBeVisible();
    const stranger = await open();
    await signIn(stranger, someone('stranger'));
    expect(await (await stranger.request.get(`${product.url}/api/journal`)).text()).not.toContain('quiet');
    const headers = { origin: product.url };
    const taken = await stranger.request.post(`${product.url}/api/journal/${id}/remove`, {
      headers,
      data: {},
    });
    expect(taken.status()).toBe(404);

    await page.goto('/profile?tab=progress');
    const figures = page.getByRole('tabpanel', { name: 'Progress' }).getByRole('definition');
    await expect(figures).toHaveText(['0', '1', '0', '1']);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Progress Report' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('progress-report.pdf');
    const bytes = new Uint8Array(await readFile(await saved.path()));
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
    expect(text).toContain('Walk every morning');
    expect(text).not.toContain('quiet');
  },
);

test(
  'sends a client’s prayer request to pastors, and shows a pastor’s prayer at once',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const request = 'For my mother in hospital';
    const pastor = await open();
    const { name } = await becomeSpecialist(pastor, product, { name: 'Pastor Miriam Lund', kind: 'pastor' });
    await pastor.goto('/prayers');
    await becomeClient(page, product);
    await page.goto('/growth?tab=prayer');
    await page.getByRole('button', { name: 'Ask for prayer' }).click();
    const form = page.getByRole('dialog', { name: 'Ask for prayer' });
    await form.getByLabel('What would you like prayer for?').fill(request);
    await form.getByRole('radio', { name: /The pastors/ }).check();
    await form.getByRole('button', { name: 'Ask for prayer' }).click();
    await expect(page.getByText('When someone prays, you’ll see it here.')).toBeVisible();

    const asked = pastor.getByRole('listitem').filter({ hasText: request });
    await asked.getByRole('button', { name: /^I prayed/ }).click();
    await expect(page.getByText(new RegExp(`${name} prayed on`))).toBeVisible();
    await asked.getByRole('button', { name: 'Add a note' }).click();
    await asked.getByLabel('Note to them').fill('We remembered her this morning.');
    await asked.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByText('We remembered her this morning.')).toBeVisible();
    await asked.getByRole('button', { name: /^Undo/ }).click();
    await expect(page.getByText('We remembered her this morning.')).toBeHidden();
    await page.getByRole('button', { name: 'Mark as answered' }).click();
    await expect(asked).toBeHidden();
  },
);
