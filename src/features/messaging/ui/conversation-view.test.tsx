import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';
import type { Conversation, Message } from '../contract.ts';

const recorded = recordedFor('client');
const known: Conversation = recorded['messaging.conversations.get'] as Conversation;
const path = `/messages/${known.id}`;

const history = page.getByRole('group', { name: /^Messages with/ });
const bubble = (text: string) => history.getByRole('listitem').filter({ hasText: text });
const field = page.getByRole('textbox', { name: /^Message to/ });
const send = page.getByRole('button', { name: 'Send', exact: true });
const unread = page.getByRole('banner').getByRole('link', { name: /^Messages/ });
const toLatest = page.getByRole('button', { name: /^Go to the latest message/ });

afterEach(() => {
  vi.restoreAllMocks();
  look('visible');
});

/** Messages one minute apart, from the specialist unless `mine`. */
function message(seq: number, text: string, mine = false): Message {
  const id = `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`;
  const sentAt = new Date(Date.UTC(2026, 10, 23) + seq * 60_000).toISOString();
  return { id, seq, mine, text, attachments: [], sentAt };
}

/** Mocks one conversation's API. `receive` adds a message from the other person and notifies the page. */
function talk(messages: Message[], { readSeq = messages.length, ...more }: Partial<Conversation> = {}) {
  const conversation = (): Conversation => ({
    ...known,
    lastSeq: messages.length,
    readSeq,
    readByOther: 0,
    unread: messages.filter(({ seq, mine }) => seq > readSeq && !mine).length,
    ...more,
  });
  const counts = () => ({ messages: conversation().unread, conversations: conversation().unread && 1 });
  const store = (one: Message) => {
    messages.push(one);
    return one;
  };
  return {
    store,
    receive(text: string) {
      store(message(messages.length + 1, text));
      tellPage({ type: 'messages.changed', id: known.id });
    },
    answers: {
      'messaging.conversations.get': conversation,
      'messaging.conversations.list': () => ({ conversations: [conversation()], more: false }),
      'messaging.conversations.unread': counts,
      'messaging.conversations.draft': { text: '' },
      'messaging.conversations.saveDraft': ({ text }: { text: string }) => ({ text }),
      'messaging.conversations.read': ({ seq }: { seq: number }) => {
        readSeq = Math.max(readSeq, seq);
        return conversation();
      },
      'messaging.messages.list': (input: { after?: string; before?: string; limit?: string }) => {
        const limit = Number(input.limit);
        if (input.after !== undefined) {
          const later = messages.filter(({ seq }) => seq > Number(input.after));
          return { messages: later.slice(0, limit), more: later.length > limit };
        }
        const earlier = messages.filter(({ seq }) => seq < Number(input.before ?? Infinity));
        return { messages: earlier.slice(-limit), more: earlier.length > limit };
      },
      'messaging.messages.send': ({ messageId, text }: { messageId: string; text: string }) =>
        messages.find(({ id }) => id === messageId) ??
        store({ ...message(messages.length + 1, text, true), id: messageId }),
    },
  };
}

const question = () => talk([message(1, 'I would like to ask you something.', true)]);

function look(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
  document.dispatchEvent(new Event('visibilitychange'));
}

function texts(): (string | null)[] {
  return [...history.element().querySelectorAll('li p[dir]')].map((one) => one.textContent);
}

test('passes accessibility checks and shows clients immediate help', { tags: ['long'] }, async () => {
  const long = message(2, `${'Averylongwordwithoutanyspace'.repeat(8)}\nשלום, and on.`, true);
  await openPage(path, { as: 'client', answers: talk([message(1, 'How are you?'), long]).answers });
  await expect.element(bubble('Averylong')).toBeVisible();
  await expect.element(page.getByText('Messages aren’t read right away.')).toBeVisible();
  await expectFair('a conversation');
});

test('hides client help from specialists', { tags: ['long'] }, async () => {
  await openPage(path, { as: 'doctor', answers: question().answers });
  await expect.element(bubble('I would like')).toBeVisible();
  await expect.element(page.getByText('Messages aren’t read right away.')).not.toBeInTheDocument();
});

test('shows not-found for another person’s conversation', { tags: ['long'] }, async () => {
  await openPage(path, {
    as: 'client',
    answers: { 'messaging.conversations.get': refusal(404, 'not_found') },
  });
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('We couldn’t find this conversation');
  await expectFair('a conversation that isn’t there');
});

test('is read-only once it has ended', async () => {
  await openPage(path, {
    as: 'client',
    answers: talk([message(1, 'Hello.')], { closed: 'not_served' }).answers,
  });
  await expect.element(page.getByText('You can no longer send messages in this conversation.')).toBeVisible();
  await expect.element(field).not.toBeInTheDocument();
  await expectFair('a conversation that has ended');
});

test('becomes read-only once a message is refused because it has ended', async () => {
  const { answers } = question();
  await openPage(path, {
    as: 'client',
    answers: {
      ...answers,
      'messaging.messages.send': () => {
        answer({ 'messaging.conversations.get': { ...known, closed: 'not_served' } });
        return refusal(412, 'precondition', 'conversation_closed');
      },
    },
  });
  await field.fill('Are you there?');
  await send.click();
  await expect.element(bubble('Are you there?')).toBeVisible();
  await expect.element(field).not.toBeInTheDocument();
});

test('reports a loading error and retries', { tags: ['long'] }, async () => {
  const { answers } = question();
  await openPage(path, { as: 'client', answers: { ...answers, 'messaging.messages.list': unreachable } });
  await expect
    .element(page.getByRole('alert').first())
    .toMatchTextContent('We couldn’t load this conversation');
  await expectFair('a conversation that can’t be loaded');
  await pressWith(page.getByRole('button', { name: 'Try again' }).last(), answers);
  await expect.element(bubble('I would like')).toBeVisible();
});

test('shows typing until the message arrives, announced politely', async () => {
  const { answers, receive } = question();
  await openPage(path, { as: 'client', answers });
  await expect.element(bubble('I would like')).toMatchTextContent('Sent');
  const writing = page.getByText('Dr. Sarah Whitfield is typing…');
  await expect
    .poll(() => {
      tellPage({ type: 'messages.typing', id: known.id });
      return writing.query();
    })
    .not.toBeNull();
  await expect.element(page.getByRole('list', { name: 'Conversations' })).toMatchTextContent('is typing…');
  receive('Please do');
  await expect.element(bubble('Please do')).toBeVisible();
  await expect.element(writing).not.toBeInTheDocument();
  const log = page.getByRole('log');
  await expect.element(log).toHaveTextContent('Dr. Sarah Whitfield: Please do');
  await expect.element(log).toHaveAttribute('aria-live', 'polite');
});

test('marks a message read once visible in a focused tab', async () => {
  const { answers, receive } = question();
  await openPage(path, { as: 'client', answers });
  await expect.element(bubble('I would like')).toBeVisible();
  look('hidden');
  receive('Nobody looks.');
  await expect.element(unread).toHaveAccessibleName('Messages, 1 unread');
  await expect.element(history.getByText('New messages')).toBeVisible();
  expect(askedFor('messaging.conversations.read')).toEqual([]);
  look('visible');
  await expect.element(unread).toHaveAccessibleName('Messages');
  await expect.poll(() => askedFor('messaging.conversations.read')).toMatchObject([{ seq: 2 }]);
});

test('keeps a receipt when an older answer arrives after it', async () => {
  const { answers, receive } = question();
  let arrive = () => {};
  await openPage(path, {
    as: 'client',
    answers: {
      ...answers,
      'messaging.conversations.read': (input: { seq: number }) => {
        const older = answers['messaging.conversations.read'](input);
        return new Promise((resolve) => (arrive = () => resolve(older)));
      },
    },
  });
  await expect.element(bubble('I would like')).toMatchTextContent('Sent');
  receive('Please do');
  await expect.poll(() => askedFor('messaging.conversations.read')).toHaveLength(1);
  answer({
    'messaging.conversations.get': () => ({ ...answers['messaging.conversations.get'](), readByOther: 1 }),
  });
  tellPage({ type: 'messages.read', id: known.id });
  await expect.element(bubble('I would like')).toMatchTextContent('Read');
  const counts = askedFor('messaging.conversations.unread').length;
  arrive();
  await expect.poll(() => askedFor('messaging.conversations.unread').length).toBeGreaterThan(counts);
  await expect.element(bubble('I would like')).toMatchTextContent('Read');
});

test(
  'sends queued messages in order after reconnecting, except deleted ones',
  { tags: ['long'] },
  async () => {
    const { answers } = question();
    await openPage(path, { as: 'client', answers: { ...answers, 'messaging.messages.send': unreachable } });
    for (const text of ['First', 'Second', 'Never mind']) {
      await field.fill(text);
      await userEvent.keyboard('{Enter}');
      const failed = bubble(text).getByRole('alert');
      await expect.element(failed).toMatchTextContent('Not sent');
      await expect.element(failed).toMatchTextContent('Your message will be sent');
    }
    await expectNoViolation('messages that were not sent');
    history.element().focus();
    await press(page.getByRole('button', { name: 'Delete unsent message: Never mind' }));
    await expect.element(bubble('Never mind')).not.toBeInTheDocument();
    expect(document.activeElement?.closest('main')).not.toBeNull();
    answer(answers);
    window.dispatchEvent(new Event('online'));
    await expect.element(page.getByText('Not sent')).not.toBeInTheDocument();
    await expect.element(bubble('Second')).toMatchTextContent('Sent');
    expect(texts()).toEqual(['I would like to ask you something.', 'First', 'Second']);
  },
);

test('sends messages in order after an outage', async () => {
  const { answers } = question();
  const outage = refusal(503, 'unavailable', 'maintenance');
  await openPage(path, { as: 'client', answers: { ...answers, 'messaging.messages.send': outage } });
  for (const text of ['First', 'Second']) {
    await field.fill(text);
    await userEvent.keyboard('{Enter}');
    await expect.element(bubble(text).getByRole('alert')).toMatchTextContent('Not sent');
  }
  answer(answers);
  window.dispatchEvent(new Event('online'));
  await expect.element(page.getByText('Not sent')).not.toBeInTheDocument();
  await expect.element(bubble('Second')).toMatchTextContent('Sent');
  expect(texts()).toEqual(['I would like to ask you something.', 'First', 'Second']);
});

test('shows a message once when its answer was lost', async () => {
  const { answers } = question();
  await openPage(path, { as: 'client', answers });
  answer({
    'messaging.messages.send': (input: { messageId: string; text: string }) => {
      answers['messaging.messages.send'](input);
      answer(answers);
      return unreachable;
    },
  });
  await field.fill('Only once');
  await send.click();
  await expect.element(field).toHaveFocus();
  await expect.element(bubble('Only once')).toMatchTextContent('Not sent');
  window.dispatchEvent(new Event('online'));
  await expect.element(bubble('Only once')).not.toMatchTextContent('Not sent');
  await expect.element(bubble('Only once')).toMatchTextContent('Sent');
  expect(texts()).toEqual(['I would like to ask you something.', 'Only once']);
  const sends = () => askedFor('messaging.messages.send');
  await expect.poll(sends).toHaveLength(2);
  await expect.poll(() => sends()[1]).toEqual(sends()[0]);
});

test('stores drafts on the server, not in the browser', { tags: ['long'] }, async () => {
  const { answers } = question();
  await openPage(path, {
    as: 'client',
    answers: { ...answers, 'messaging.conversations.draft': { text: 'From the other device' } },
  });
  await expect.element(field).toHaveValue('From the other device');
  await field.fill('Half a thought');
  await expect
    .poll(() => askedFor('messaging.conversations.saveDraft'))
    .toMatchObject([{ text: 'Half a thought' }]);
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain('Half a thought');
});

test('keeps what is typed while a message waits, and doesn’t save the waiting one as a draft', async () => {
  const { answers } = question();
  await openPage(path, { as: 'client', answers: { ...answers, 'messaging.messages.send': unreachable } });
  await field.fill('Sent offline.');
  await userEvent.keyboard('{Enter}');
  await expect.element(bubble('Sent offline.').getByRole('alert')).toMatchTextContent('Not sent');
  await field.fill('One more thought.');
  await unread.click();
  await expect.element(history).not.toBeInTheDocument();
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
  await expect.element(bubble('Sent offline.')).toBeVisible();
  await expect.element(field).toHaveValue('One more thought.');
  expect(askedFor('messaging.conversations.saveDraft')).toEqual([]);
});

test('can be opened, read and answered by keyboard alone', { tags: ['long'] }, async () => {
  const { answers, receive } = talk([message(1, 'How was the night?')]);
  await openPage('/messages', { as: 'client', answers });
  await press(page.getByRole('list', { name: 'Conversations' }).getByRole('link').first());
  await openPage(path, { as: 'client', answers });
  await tabTo(history);
  await tabTo(field);
  await userEvent.keyboard('Better{Shift>}{Enter}{/Shift}Thank you');
  await expect.element(field).toHaveValue('Better\nThank you');
  await userEvent.keyboard('{Enter}');
  await expect.element(bubble('Better')).toMatchTextContent('Sent');
  await expect.element(field).toHaveFocus();
  // Incoming messages don't move focus while typing.
  await userEvent.keyboard('And');
  receive('Good.');
  await expect.element(bubble('Good.')).toBeVisible();
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard(' you?');
  await press(send);
  await expect.element(bubble('And you?')).toMatchTextContent('Sent');
  await expect.element(field).toHaveFocus();
});

test('returns to the latest message and the list by keyboard, even on phones', async () => {
  const long = Array.from({ length: 14 }, (_, at) =>
    message(at + 1, `${at}. ${'More to tell. '.repeat(30)}`),
  );
  await openPage(path, { as: 'client', answers: talk(long).answers });
  await expect.element(bubble('13. More to tell.')).toBeInViewport();
  history.element().focus();
  await userEvent.keyboard('{PageUp}');
  await press(toLatest);
  await expect.element(bubble('13. More to tell.')).toBeInViewport();
  await expect.element(history).toHaveFocus();
  await page.viewport(phone.width, phone.height);
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await expect.element(page.getByRole('link', { name: 'All messages' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  await expect.element(page.getByRole('list', { name: 'Conversations' })).toBeVisible();
  await expect
    .element(page.getByRole('banner').getByRole('button', { name: 'Need help now?' }))
    .toBeVisible();
});

test('inserts a line break on Enter on touch screens', async () => {
  const real = window.matchMedia.bind(window);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    real(query === '(hover: hover) and (pointer: fine)' ? 'not all' : query),
  );
  await openPage(path, { as: 'client', answers: question().answers });
  await field.fill('One');
  await userEvent.keyboard('{Enter}Two');
  await expect.element(field).toHaveValue('One\nTwo');
});

test('counts the last characters and reports long text before sending', async () => {
  await openPage(path, { as: 'client', answers: question().answers });
  await field.fill('a'.repeat(4_999));
  await expect.element(page.getByText('1 character left')).toBeVisible();
  await field.fill('a'.repeat(5_002));
  await expect.element(page.getByText('2 characters too many. Split it into two messages.')).toBeVisible();
  await expect.element(send).toBeDisabled();
  await expectNoViolation('a message that is too long');
});

test(
  'keeps its scroll position as a long history grows, and separates new messages',
  { tags: ['long'] },
  async () => {
    const all = Array.from({ length: 120 }, (_, at) =>
      message(at + 1, `Line ${at}. ${'And more of it. '.repeat(at % 5)}`, at % 3 === 0),
    );
    const { answers, receive } = talk(all, { readSeq: 75 });
    let comeOn = () => {};
    const held = new Promise<void>((resolve) => {
      comeOn = resolve;
    });
    await openPage(path, {
      as: 'client',
      answers: {
        ...answers,
        'messaging.messages.list': async (input: { before?: string }) => {
          if (input.before) await held;
          return answers['messaging.messages.list'](input);
        },
      },
    });
    // Opens at the first unread message.
    await expect.element(history.getByText('New messages')).toBeInViewport();
    await expect.element(toLatest).toBeVisible();
    // Measures after paint, once scroll position is restored.
    const top = async () => {
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      return bubble('Line 76.').element().getBoundingClientRect().top;
    };
    const before = await top();
    const moved = async () => Math.abs((await top()) - before);
    const parts = () => history.element().querySelectorAll('ol').length;
    const first = parts();
    comeOn();
    await expect.poll(parts).toBeGreaterThan(first);
    expect(await moved()).toBeLessThan(3);
    // Visible messages are marked read before the next arrives.
    await expect.poll(() => askedFor('messaging.conversations.read').length).toBeGreaterThan(0);
    receive('A new one while you read.');
    await expect.element(page.getByRole('button', { name: 'Go to the latest message, 1 new' })).toBeVisible();
    await expect.poll(moved).toBeLessThan(3);
    await expectFair('further up in a history');
    await page.getByRole('button', { name: 'Go to the latest message, 1 new' }).click();
    await expect.element(bubble('A new one while you read.')).toBeInViewport();
    await expect.element(history.getByText('New messages')).toBeVisible();
    const beginning = page.getByText('Your conversation with Dr. Sarah Whitfield starts here.');
    await expect
      .poll(() => {
        const box = history.element();
        box.scrollTo({ top: -box.scrollHeight });
        return beginning.query();
      })
      .not.toBeNull();
    await expect.element(beginning).toBeInViewport();
  },
);

test('opens at a found message and jumps from there to the latest', { tags: ['long'] }, async () => {
  const all = Array.from({ length: 120 }, (_, at) => message(at + 1, `Number ${at + 1}.`, true));
  const { answers } = talk(all);
  await openPage(`${path}?at=1`, { as: 'client', answers });
  await expect.element(bubble('Number 1.')).toHaveFocus();
  await expect.element(bubble('Number 1.')).toBeInViewport();
  await expectFair('a message that was found');
  await toLatest.click();
  await expect.element(bubble('Number 120.')).toBeInViewport();
  // Sending from an old message jumps to the end.
  await openPage(`${path}?at=1`, { as: 'client', answers });
  await expect.element(bubble('Number 1.')).toHaveFocus();
  await field.fill('That was long ago.');
  await userEvent.keyboard('{Enter}');
  await expect.element(bubble('That was long ago.')).toMatchTextContent('Sent');
  await expect.element(bubble('That was long ago.')).toBeInViewport();
  await expect.element(bubble('Number 120.')).toBeVisible();
});

test('keeps its scroll position where scroll events arrive after rendering', async () => {
  const all = Array.from({ length: 60 }, (_, at) => message(at + 1, `Line ${at + 1}.`));
  const { answers, receive } = talk(all, { readSeq: 30 });
  await openPage(path, { as: 'client', answers });
  await expect.element(history.getByText('New messages')).toBeInViewport();
  await expect.element(toLatest).toBeVisible();
  const box = history.element();
  const top = () => bubble('Line 31.').element().getBoundingClientRect().top;
  const before = top();
  // The messages on screen count as seen; those below them don't.
  await expect.poll(() => askedFor('messaging.conversations.read')).not.toEqual([]);
  const late = new MutationObserver(() => box.dispatchEvent(new Event('scroll')));
  late.observe(box, { childList: true, subtree: true });
  receive('More to tell.\n'.repeat(20));
  await expect.element(bubble('More to tell.')).toBeInTheDocument();
  await expect.poll(() => Math.abs(top() - before)).toBeLessThan(3);
  await expect.element(history.getByText('New messages')).toBeInViewport();
  late.disconnect();
});

test('renders few of a thousand messages, and reopens at the end', { tags: ['long'] }, async () => {
  const all = Array.from({ length: 1_000 }, (_, at) =>
    message(at + 1, `Number ${at + 1}. ${'Some words. '.repeat(at % 9)}`, at % 3 === 0),
  );
  await openPage(path, { as: 'client', answers: talk(all).answers });
  await expect.element(bubble('Number 1000.')).toBeInViewport();
  const box = history.element();
  let most = 0;
  await expect
    .poll(
      async () => {
        box.scrollBy({ top: -3_000 });
        await new Promise(requestAnimationFrame);
        most = Math.max(most, box.querySelectorAll('*').length);
        return bubble('Number 1. ').query();
      },
      { interval: 1 },
    )
    .not.toBeNull();
  expect(most).toBeLessThan(1_500);
  await unread.click();
  await expect.element(history).not.toBeInTheDocument();
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
  await expect.element(bubble('Number 1000.')).toBeInViewport();
  expect(history.element().querySelectorAll('ol').length).toBeLessThan(5);
});

test('shows times in the account’s zone, naming it if the device’s time differs', async () => {
  const { answers } = talk([message(1, 'Hello.')]);
  const me = { ...recorded['accounts.me'], timeZone: 'Asia/Tokyo' };
  await openPage(path, { as: 'client', answers: { ...answers, 'accounts.me': me } });
  await expect.element(bubble('Hello.')).toMatchTextContent('9:01 AM');
  const line = page.getByText('All times are Tokyo time.');
  const shown = () => line.elements().filter((one) => one.checkVisibility()).length;
  await expect.poll(shown).toBe(1);
  await page.viewport(phone.width, phone.height);
  await expect.poll(shown).toBe(1);
  await expectFair('a conversation in another zone');
});

test('names no zone if the device shows the same time', async () => {
  await openPage(path, { as: 'client', answers: talk([message(1, 'Hello.')]).answers });
  await expect.element(bubble('Hello.')).toMatchTextContent('6:01 PM');
  await expect.element(page.getByText(/^All times are/)).not.toBeInTheDocument();
});
