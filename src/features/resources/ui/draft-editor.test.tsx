import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import '../../../../tests/components/uploads.ts';
import type { AuthoredResource, DraftInput } from '../library/contract.ts';

const [entry] = recordedFor('doctor')['resources.authored'].items;
const stored = {
  ...entry!,
  type: 'devotional',
  form: 'article',
  status: 'draft',
  title: 'Two windows',
  body: 'Words.',
  url: null,
  file: null,
  cover: null,
  actions: ['edit', 'submit', 'remove'],
} as AuthoredResource;
const stores = (draft: DraftInput) => ({
  ...stored,
  ...draft,
  id: stored.id,
  version: (draft.version ?? 0) + 1,
});

const title = page.getByLabelText('Title');
const save = page.getByRole('button', { name: 'Save draft' });
const submit = page.getByRole('button', { name: 'Send for approval' });
const saved = page.getByText('Draft saved', { exact: true }).first();

async function openDraft(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage(`/author/${stored.id}`, {
    as: 'doctor',
    answers: { 'resources.authoredOne': stored, 'resources.saveDraft': stores, ...answers },
  });
  await expect.element(title).toHaveValue('Two windows');
}

test('names missing fields and focuses the first', async () => {
  await openPage('/author/new', { as: 'doctor' });
  await submit.click();
  await expect.element(title).toHaveFocus();
  await expect.element(page.getByText('Choose a category.')).toBeVisible();
  expect(askedFor('resources.saveDraft')).toEqual([]);
  await expectFair('the editor with problems');
});

test('names missing fields before a text can be submitted', async () => {
  await openDraft({
    'resources.submit': refusal(400, 'invalid', 'incomplete', {
      fields: [
        { field: 'description', reason: 'required' },
        { field: 'body', reason: 'required' },
      ],
    }),
  });
  await submit.click();
  await expect.element(page.getByText('Describe it in one or two sentences.')).toBeVisible();
  await expect.element(page.getByText('Enter the text.')).toBeVisible();
});

test('previews a text, and returns to the list after submission', async () => {
  await openDraft({ 'resources.submit': { ...stored, status: 'submitted' } });
  await page.getByLabelText('Text').fill('## A loaf\n\nBread is broken before it is shared.');
  await expect
    .element(page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'A loaf' }))
    .toBeVisible();
  await submit.click();
  await expect.poll(address).toBe('/author');
});

test('creates a new draft once and updates it from then on', async () => {
  await openPage('/author/new', { as: 'doctor', answers: { 'resources.saveDraft': stores } });
  await title.fill('A recording of rain');
  await page.getByRole('radio', { name: 'Devotional' }).click();
  await page.getByLabelText('Category').selectOptions('Individual Healing');
  await save.click();
  await expect.element(saved).toBeVisible();
  await title.fill('A recording of more rain');
  await save.click();
  await expect.poll(() => askedFor('resources.saveDraft')).toHaveLength(2);
  await expect
    .poll(() => askedFor('resources.saveDraft'))
    .toMatchObject([
      { title: 'A recording of rain', type: 'devotional', category: 'individual-healing' },
      { title: 'A recording of more rain', resourceId: stored.id, version: 1 },
    ]);
});

test('sends a new draft under the same id again after a lost answer', async () => {
  await openPage('/author/new', {
    as: 'doctor',
    answers: { 'resources.saveDraft': refusal(503, 'unavailable', 'internal') },
  });
  await title.fill('A recording of rain');
  await page.getByRole('radio', { name: 'Devotional' }).click();
  await page.getByLabelText('Category').selectOptions('Individual Healing');
  await save.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await pressWith(save, { 'resources.saveDraft': stores });
  await expect.element(saved).toBeVisible();
  const [first, second] = askedFor('resources.saveDraft') as DraftInput[];
  expect(first!.resourceId).toBeDefined();
  expect(second!.resourceId).toBe(first!.resourceId);
});

test('saves a text though an address typed before isn’t valid', async () => {
  await openDraft();
  await page.getByRole('radio', { name: 'Link' }).click();
  await page.getByLabelText('Address').fill('a page about rain');
  await page.getByRole('radio', { name: 'Article' }).click();
  await save.click();
  await expect.element(saved).toBeVisible();
  expect(askedFor('resources.saveDraft')).toMatchObject([{ form: 'article', body: 'Words.' }]);
  expect(askedFor('resources.saveDraft')[0]).not.toHaveProperty('url');
});

test('names a text that is too long, though a link is shown instead', async () => {
  await openDraft();
  await page.getByLabelText('Text').fill('a'.repeat(20_001));
  await page.getByRole('radio', { name: 'Link' }).click();
  await save.click();
  await expect
    .element(page.getByText('Keep the text to 20,000 characters, or upload it as a PDF.'))
    .toBeVisible();
  expect(askedFor('resources.saveDraft')).toEqual([]);
});

test('doesn’t overwrite another window’s save, and shows it on request', { tags: ['long'] }, async () => {
  await openDraft({ 'resources.saveDraft': refusal(409, 'conflict', 'changed_meanwhile') });
  await title.fill('From the second window');
  await save.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('This was changed in another window');
  await expect.element(title).toHaveValue('From the second window');
  await expectFair('a draft that was changed elsewhere');
  await pressWith(page.getByRole('button', { name: 'Load other version' }), {
    'resources.authoredOne': { ...stored, title: 'From the first window', version: 5 },
    'resources.saveDraft': stores,
  });
  await expect.element(title).toHaveValue('From the first window');
  await title.fill('From the second window, again');
  await save.click();
  await expect.element(saved).toBeVisible();
  await expect.poll(() => askedFor('resources.saveDraft').at(-1)).toMatchObject({ version: 5 });
});

test('overwrites the other version on request', async () => {
  await openDraft({ 'resources.saveDraft': refusal(409, 'conflict', 'changed_meanwhile') });
  await title.fill('From the first window, at last');
  await save.click();
  const overwrite = page.getByRole('button', { name: 'Save my version' });
  await expect.element(overwrite).toBeVisible();
  await pressWith(overwrite, {
    'resources.authoredOne': { ...stored, title: 'From the second window', version: 5 },
    'resources.saveDraft': stores,
  });
  await expect.element(saved).toBeVisible();
  await expect.element(page.getByText('This was changed in another window')).not.toBeInTheDocument();
  await expect.element(title).toHaveValue('From the first window, at last');
  await expect
    .poll(() => askedFor('resources.saveDraft').at(-1))
    .toMatchObject({
      version: 5,
      title: 'From the first window, at last',
    });
});

test('explains why a file is refused, and keeps the draft', async () => {
  const sent = 'POST /api/resource-files';
  const refuses = (field: string, reason: string) => ({
    [sent]: refusal(400, 'invalid', reason, { fields: [{ field, reason }] }),
  });
  await openDraft(refuses('file', 'file_type'));
  await page.getByRole('radio', { name: 'Audio', exact: true }).click();
  await page.getByRole('radio', { name: 'File upload' }).click();
  const field = page.getByLabelText('File', { exact: true });
  const rain = new File(['noise'], 'rain.wav', { type: 'audio/wav' });
  await userEvent.upload(field, rain);
  await expect.element(page.getByText('This file type isn’t supported.')).toBeVisible();
  await expect.element(title).toHaveValue('Two windows');
  answer(refuses('file', 'not_audio'));
  await userEvent.upload(field, rain);
  await expect.element(page.getByText('This isn’t an audio file.')).toBeVisible();
  await expectFair('a file that is refused');
  answer({
    [sent]: { ...stored, file: { name: 'rain.wav', contentType: 'audio/wav', size: 5 }, version: 9 },
  });
  await userEvent.upload(field, rain);
  await expect.element(page.getByText('rain.wav uploaded')).toBeVisible();
  await expect.element(page.getByText('Current file: rain.wav')).toBeVisible();
  answer(refuses('cover', 'file_type'));
  await userEvent.upload(page.getByLabelText('Cover image'), new File(['<svg/>'], 'cover.png'));
  await expect.element(page.getByText('This isn’t a JPEG, PNG, or WebP image.')).toBeVisible();
});

test('doesn’t send an oversized picture', { tags: ['long'] }, async () => {
  await openDraft();
  const large = new File([new Uint8Array(6 * 1024 * 1024)], 'large.png', { type: 'image/png' });
  await userEvent.upload(page.getByLabelText('Cover image'), large);
  await expect.element(page.getByText('This image is larger than 5 MB.')).toBeVisible();
  expect(askedFor('POST /api/resource-files')).toEqual([]);
});

test('sends a file chosen while the draft is being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await openDraft({
    'resources.saveDraft': async (draft: DraftInput) => {
      await promise;
      return stores(draft);
    },
    'POST /api/resource-files': {
      ...stored,
      cover: { name: 'cover.png', contentType: 'image/png', size: 5 },
      version: 9,
    },
  });
  await title.fill('One window');
  await save.click();
  await userEvent.upload(
    page.getByLabelText('Cover image'),
    new File(['image'], 'cover.png', { type: 'image/png' }),
  );
  resolve();
  await expect.element(page.getByText('cover.png uploaded')).toBeVisible();
  // Both saves carry the version that the one before stored.
  expect(askedFor('resources.saveDraft').map((draft) => (draft as DraftInput).version)).toEqual([
    stored.version,
    stored.version + 1,
  ]);
});

test('asks before leaving an unsaved draft, not once it is saved', async () => {
  await openDraft();
  const back = page.getByRole('link', { name: 'Your resources' });
  await title.fill('Two windows and a do');
  await back.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
  await expect.element(title).toHaveValue('Two windows and a do');
  await save.click();
  await expect.element(saved).toBeVisible();
  await back.click();
  await expect.poll(address).toBe('/author');
});
