import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import '../../../../tests/components/uploads.ts';

const upload = 'POST /api/conversations/attachments';
const conversation = recordedFor('client')['messaging.conversations.get'];
const field = page.getByRole('textbox', { name: /^Message to/ });
const chips = page.getByRole('list', { name: 'Files for this message' });
const chip = (name: string) => chips.getByRole('listitem').filter({ hasText: name });
const ids = new Map<string, string>();

/** The server's answer to an upload. */
const taken = ({ name, body }: { name: string; body: string }) => {
  ids.set(name, crypto.randomUUID());
  const path = `/api/conversations/attachments/${ids.get(name)!}`;
  const stored = { id: ids.get(name)!, name, size: body.length, width: null, height: null, path };
  return Response.json({ ...stored, contentType: 'text/plain' }, { status: 201 });
};
const file = (name: string, size = 6) => new File(['a'.repeat(size)], name, { type: 'text/plain' });

function transfer(...files: File[]): DataTransfer {
  const brought = new DataTransfer();
  for (const one of files) brought.items.add(one);
  return brought;
}

function choose(...files: File[]): void {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  input.files = transfer(...files).files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

beforeEach(openConversation);

async function openConversation(): Promise<void> {
  await openPage(`/messages/${conversation.id}`, {
    as: 'client',
    answers: {
      [upload]: taken,
      'messaging.conversations.read': conversation,
      'messaging.conversations.saveDraft': ({ text }: { text: string }) => ({ text }),
    },
  });
  await expect.element(field).toBeEnabled();
}

test('explains why a file can’t be sent, keeping text and other files', { tags: ['long'] }, async () => {
  const refused: Record<string, Response> = {
    'cat.jpg': refusal(422, 'invalid', 'file_type'),
    'photo.jpg': refusal(422, 'invalid', 'image_unreadable'),
  };
  answer({ [upload]: (input: { name: string; body: string }) => refused[input.name] ?? taken(input) });
  await field.fill('What I wrote');
  choose(file('cat.jpg'), file('photo.jpg'), file('large.pdf', 10 * 1024 * 1024 + 1), file('notes.txt'));
  await expect
    .element(chip('cat.jpg').getByRole('alert'))
    .toMatchTextContent('This type of file isn’t supported');
  await expect.element(chip('photo.jpg').getByRole('alert')).toMatchTextContent('It may be damaged');
  await expect
    .element(chip('large.pdf').getByRole('alert'))
    .toMatchTextContent('This file is larger than 10 MB');
  await expect.element(chip('notes.txt')).toMatchTextContent('1 kB');
  await expectFair('files that weren’t taken');
  await expect.element(field).toHaveValue('What I wrote');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect.element(send).toBeDisabled();
  for (const name of ['cat.jpg', 'photo.jpg', 'large.pdf']) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await expect.element(page.getByRole('button', { name: 'Add files' })).toHaveFocus();
  }
  await pressWith(send, { 'messaging.messages.send': unreachable });
  await expect.element(chips).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('messaging.messages.send'))
    .toMatchObject([{ text: 'What I wrote', attachmentIds: [ids.get('notes.txt')] }]);
});

test('retries and cancels uploads, and accepts five files at most', async () => {
  await page.viewport(phone.width, phone.height);
  answer({ [upload]: unreachable });
  choose(file('a.txt'));
  await expect.element(chip('a.txt').getByRole('alert')).toMatchTextContent('The upload was interrupted');
  await pressWith(page.getByRole('button', { name: 'Try again to upload a.txt' }), { [upload]: taken });
  await expect.element(chip('a.txt')).toMatchTextContent('1 kB');
  // The upload stays pending.
  const { promise: late, resolve } = Promise.withResolvers<Response>();
  answer({ [upload]: () => late });
  choose(file('b.txt'));
  await page.getByRole('button', { name: 'Stop uploading b.txt' }).click();
  await expect.element(chip('b.txt')).not.toBeInTheDocument();
  resolve(refusal(500, 'unexpected'));
  answer({ [upload]: taken });
  choose(...[1, 2, 3, 4, 5].map((one) => file(`${one}.txt`)));
  await expect.poll(() => chips.getByRole('listitem').elements().length).toBe(5);
  await expect.element(page.getByText('You can attach up to 5 files. 1 wasn’t added')).toBeVisible();
});

test('accepts a file pasted or dropped into the composer', async () => {
  const clipboardData = transfer(file('pasted.jpg'));
  field
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  await expect.element(page.getByRole('button', { name: 'Remove pasted.jpg' })).toBeVisible();
  const history = page.getByRole('group', { name: /^Messages with/ }).element();
  const drag = (type: string) =>
    history.dispatchEvent(
      new DragEvent(type, { dataTransfer: transfer(file('dropped.jpg')), bubbles: true, cancelable: true }),
    );
  drag('dragenter');
  drag('dragover');
  await expect.element(page.getByText('Drop files to add them')).toBeVisible();
  drag('drop');
  await expect.element(page.getByRole('button', { name: 'Remove dropped.jpg' })).toBeVisible();
  await expect.element(page.getByText('Drop files to add them')).not.toBeInTheDocument();
});

test('asks before leaving with a file that wasn’t sent', { tags: ['long'] }, async () => {
  choose(file('notes.txt'));
  await expect.element(chip('notes.txt')).toMatchTextContent('1 kB');
  const reload = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(reload);
  expect(reload.defaultPrevented).toBe(true);
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect.element(chip('notes.txt')).toBeVisible();
  await page.getByRole('button', { name: 'Remove notes.txt' }).click();
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await expect.poll(address).toBe('/home');
});
