import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const waiting = recordedFor('admin')['resources.waiting'];
const [first] = waiting.items;

const entry = page.getByRole('listitem').filter({ hasText: first!.title });
const approve = entry.getByRole('button', { name: /^Approve/ });
const read = entry.getByText('View content');

const contentOf = (version: number, body: string) => ({ form: 'article', version, body });

async function openWaiting(answers: Readonly<Record<string, unknown>>): Promise<void> {
  await openPage('/admin/moderation?tab=resources', { as: 'admin', answers });
  await expect.element(entry).toBeVisible();
}

test('can be approved only after reading', async () => {
  await openWaiting({ 'resources.content': contentOf(first!.version, 'The first words.') });
  await expect.element(approve).toBeDisabled();
  await expect.element(entry.getByText('Open it before you approve it')).toBeVisible();
  await read.click();
  await expect.element(entry.getByText('The first words.')).toBeVisible();
  await expectFair('what waits for approval');
  answer({
    'resources.approve': () => {
      answer({ 'resources.waiting': { items: [], next: null } });
      return { published: true };
    },
  });
  await approve.click();
  await expect.element(entry).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('resources.approve'))
    .toEqual([{ resourceId: first!.id, version: first!.version }]);
});

test('closes and blocks approval when a new version arrives during reading', async () => {
  await openWaiting({ 'resources.content': contentOf(first!.version, 'The first words.') });
  await read.click();
  await expect.element(approve).toBeEnabled();
  const next = first!.version + 1;
  answer({
    'resources.waiting': { items: [{ ...first!, version: next }], next: null },
    'resources.content': contentOf(next, 'Other words, which nobody has read.'),
  });
  tellPage({ type: 'resources.waiting' });
  await expect.element(approve).toBeDisabled();
  await read.click();
  await expect.element(entry.getByText('Other words, which nobody has read.')).toBeVisible();
  await expect.element(approve).toBeEnabled();
});

test('says that another administrator decided first', async () => {
  await openWaiting({
    'resources.content': contentOf(first!.version, 'The first words.'),
    'resources.approve': refusal(404, 'not_found', 'resource'),
  });
  await read.click();
  await approve.click();
  await expect.element(page.getByText('There’s nothing left to decide.').first()).toBeVisible();
});
