import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

test('marks the words as typed, whatever they mean in a pattern', async () => {
  const { conversations } = recordedFor('client')['messaging.conversations.list'];
  const { messages } = recordedFor('client')['messaging.messages.list'];
  const message = { ...messages[0]!, text: 'It was (a+)+$ [today] or aaaa?' };
  await openPage('/messages', {
    as: 'client',
    answers: {
      'messaging.messages.search': {
        found: [{ conversation: conversations[0]!, message }],
        looked: 1,
        next: null,
      },
    },
  });
  await page.getByRole('searchbox').fill('(a+)+$ [today');
  const results = page.getByRole('region', { name: 'Search results' });
  await expect.element(results.getByRole('listitem')).toMatchTextContent('(a+)+$');
  const marked = [...results.element().querySelectorAll('mark')].map((mark) => mark.textContent);
  expect(marked).toEqual(['(a+)+$', '[today']);
});
