import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import '../../../../tests/components/uploads.ts';

const send = 'POST /api/me/photo';
const stored = recordedFor('client')['accounts.profile'];
const viewer = recordedFor('client')['accounts.me'];
const photoUrl = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const change = page.getByRole('button', { name: 'Change Photo' });
const remove = page.getByRole('button', { name: 'Remove photo' });
const dialog = page.getByRole('dialog', { name: 'Crop your photo' });
const area = dialog.getByLabelText('Visible area. Use the arrow keys to move it.');
const size = dialog.getByRole('slider', { name: 'Size of the circle' });
const use = dialog.getByRole('button', { name: 'Use This Photo' });
const toast = (text: string) => page.getByRole('listitem').filter({ hasText: text });

beforeEach(() => openPage('/profile', { as: 'client' }));

function keep(): object {
  answer({ 'accounts.profile': { ...stored, photoUrl }, 'accounts.me': { ...viewer, photoUrl } });
  return stored;
}

function forget(): object {
  answer({ 'accounts.profile': stored, 'accounts.me': viewer });
  return stored;
}

async function picture(): Promise<File> {
  const canvas = new OffscreenCanvas(1200, 800);
  canvas.getContext('2d')!.fillRect(0, 0, 600, 800);
  return new File([await canvas.convertToBlob({ type: 'image/png' })], 'me.png', { type: 'image/png' });
}

async function choose(file: File, byKey = false): Promise<void> {
  await expect.element(change).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const asked = new Promise((resolve) =>
    input.addEventListener('click', (event) => resolve(event.preventDefault()), { once: true }),
  );
  await (byKey ? press(change) : change.click());
  await asked;
  await userEvent.upload(input, file);
}

/** A PNG header claiming 30,000 × 30,000 pixels. */
function bomb(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  new DataView(bytes.buffer).setUint32(16, 30_000);
  new DataView(bytes.buffer).setUint32(20, 30_000);
  return bytes;
}

test('is chosen, cropped, uploaded and removed by keyboard', { tags: ['long'] }, async () => {
  answer({ [send]: keep });
  await choose(await picture(), true);
  await expect.element(dialog.getByRole('img', { name: 'Your selected photo' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(change).toHaveFocus();
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');

  await choose(await picture(), true);
  await tabTo(size);
  await userEvent.keyboard('{ArrowLeft}'.repeat(5));
  await expect.element(size).toHaveValue('95');
  area.element().focus();
  await userEvent.keyboard(`{Control>}${'{ArrowRight}'.repeat(5)}{/Control}`);
  await expect.element(area).toHaveFocus();
  await press(use);
  await expect.element(toast('Photo saved')).toBeVisible();
  await expect.element(change).toHaveFocus();
  expect(askedFor(send)).toMatchObject([{ left: '0.366667' }]);

  const question = page.getByRole('alertdialog', { name: 'Remove your photo?' });
  await press(remove);
  await expect.element(question).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(remove).toHaveFocus();
  answer({ 'accounts.removePhoto': forget });
  await userEvent.keyboard('{Enter}');
  await press(question.getByRole('button', { name: 'Remove photo' }));
  await expect.element(toast('Photo removed')).toBeVisible();
  await expect.element(change).toHaveFocus();
  await expect.element(remove).not.toBeInTheDocument();
});

test('explains why a file can’t be used, and keeps the form’s input', { tags: ['long'] }, async () => {
  await page.getByLabelText('Full Name').fill('Ruth, half typed');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const refused: [name: string, bytes: BlobPart, sentence: string][] = [
    ['six.jpg', new Uint8Array(6 * 1024 * 1024), 'This photo is larger than 5 MB.'],
    ['drawing.png', svg, 'This file isn’t a JPEG, PNG, or WebP photo.'],
    ['page.png', '<!doctype html><script>alert(1)</script>', 'This file isn’t a JPEG, PNG, or WebP photo.'],
    ['bomb.png', bomb(), 'This photo is too large to open.'],
    ['empty.png', '', 'This file is empty.'],
  ];
  for (const [name, bytes, sentence] of refused) {
    await choose(new File([bytes], name, { type: 'image/png' }));
    await expect.element(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
  }
  await expectFair('the profile with a file that was refused');
  await expect.element(page.getByLabelText('Full Name')).toHaveValue('Ruth, half typed');
  expect(askedFor(send)).toEqual([]);
});

test('can be retried in the dialog after a server error or lost connection', { tags: ['long'] }, async () => {
  answer({
    [send]: refusal(400, 'invalid', 'file_type', {
      fields: [{ field: 'file', reason: 'file_type' }],
    }),
  });
  await choose(await picture());
  await use.click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/isn’t a JPEG, PNG, or WebP photo/);
  await expectNoViolation('the crop dialog with a refusal');
  await pressWith(use, { [send]: unreachable });
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/We couldn’t reach the server/);
  await pressWith(use, { [send]: keep });
  await expect.element(toast('Photo saved')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('is accessible while cropping and before removal', { tags: ['long'] }, async () => {
  await choose(await picture());
  await expect.element(dialog.getByRole('img', { name: 'Your selected photo' })).toBeVisible();
  await expectFair('the crop dialog');
  await pressWith(use, { [send]: keep });
  await remove.click();
  await expect.element(page.getByRole('alertdialog', { name: 'Remove your photo?' })).toBeVisible();
  await expectFair('the question before a photo is removed');
});
