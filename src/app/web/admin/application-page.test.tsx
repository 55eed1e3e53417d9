import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refusal, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const [waiting] = recordedFor('admin')['providers.applications.list'].applications;
const checked = {
  ...waiting!,
  expired: false,
  documents: waiting!.documents.map((one) => ({ ...one, openedAt: null })),
};
const main = page.getByRole('main');

async function openApplication(shown: unknown): Promise<void> {
  await openPage(`/admin/applications/${waiting!.id}`, {
    as: 'admin',
    answers: { 'providers.applications.check': shown },
  });
}

test('shows an application with its decisions and its person', async () => {
  await openApplication(checked);
  await expect
    .element(main.getByRole('link', { name: waiting!.name }))
    .toHaveAttribute('href', `/admin/people/${waiting!.personId}`);
  await expect.element(main.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expectFair('an application’s page');
});

test('breaks a long email before its “@” or a dot on phones, never in mid-word', async () => {
  await page.viewport(phone.width, phone.height);
  const words = ['theodora', '.ashworthlind', '@counseling', '.example'];
  await openApplication({ ...checked, email: words.join('') });
  const link = await main.getByRole('link', { name: words.join('') }).findElement();
  expect(linesOf(link, words.join(''))).toBeGreaterThan(1);
  for (const word of words) expect([word, linesOf(link, word)]).toEqual([word, 1]);
});

/** On how many lines these words of the element are. */
function linesOf(element: Element, words: string): number {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const from = element.textContent.indexOf(words);
  const tops = new Set<number>();
  let at = 0;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const length = text.textContent!.length;
    const [start, end] = [Math.max(0, from - at), Math.min(length, from + words.length - at)];
    at += length;
    if (start >= end) continue;
    range.setStart(text, start);
    range.setEnd(text, end);
    for (const { top } of range.getClientRects()) tops.add(Math.round(top));
  }
  return tops.size;
}

test('says when there is no such application, and retries what couldn’t be loaded', async () => {
  await openApplication(refusal(404, 'not_found', 'application'));
  await expect
    .element(main.getByRole('heading', { level: 1 }))
    .toHaveTextContent('We couldn’t find this application');
  await openApplication(unreachable);
  const again = main.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await pressWith(again, { 'providers.applications.check': { ...checked, status: 'approved' } });
  await expect.element(main.getByRole('button', { name: /^Revoke approval/ })).toBeVisible();
});
