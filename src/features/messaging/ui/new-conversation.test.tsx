import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const conversation = recordedFor('client')['messaging.conversations.get'];
const person = conversation.with;
const path = `/messages/new?to=${person.id}`;
const main = page.getByRole('main');
const send = main.getByRole('button', { name: 'Send Message' });
const subject = main.getByLabelText('Subject');
const words = main.getByLabelText('Message', { exact: true });

const answers = {
  'messaging.conversations.withPerson': { person, conversation: null },
  'messaging.conversations.open': () => Response.json(conversation, { status: 201 }),
};

beforeEach(() => openPage(path, { as: 'client', answers }));

test('shows the recipient and what their license means for confidentiality', async () => {
  await expect.element(main.getByText('To Dr. Sarah Whitfield')).toBeVisible();
  await expect.element(main).toMatchTextContent('Licensed clinicians are bound by confidentiality law');
  await expectFair('a first message');
});

test('names missing fields and focuses the first', async () => {
  await send.click();
  await expect.element(main.getByText('Enter a subject.')).toBeVisible();
  await expect.element(main.getByText('Enter your message.')).toBeVisible();
  await expect.element(subject).toHaveFocus();
  await expectNoViolation('a first message with problems');
  expect(askedFor('messaging.conversations.open')).toEqual([]);
});

test('asks before leaving an unsent message', async () => {
  await subject.fill('A first question');
  await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
  const asks = page.getByRole('alertdialog');
  await expect.poll(() => asks.query()?.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(asks).not.toBeInTheDocument();
  await expect.poll(address).toBe(path);
  await expect.element(subject).toHaveValue('A first question');
});

test('keeps input when the server is unreachable, and reuses the conversation id on retry', async () => {
  answer({ 'messaging.conversations.open': unreachable });
  await subject.fill('A first question');
  await words.fill('May I ask you something?');
  await send.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Your message wasn’t sent');
  await expect.element(words).toHaveValue('May I ask you something?');
  await expectNoViolation('a first message that wasn’t sent');
  answer(answers);
  await send.click();
  await expect.poll(address).toBe(`/messages/${conversation.id}`);
  const [one, other] = askedFor('messaging.conversations.open') as { conversationId: string }[];
  expect(other).toEqual(one);
});

test('sends a text that was changed after a lost answer as another message', async () => {
  answer({ 'messaging.conversations.open': unreachable });
  await subject.fill('A first question');
  await words.fill('May I ask you something?');
  await send.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('Your message wasn’t sent');
  await words.fill('May I ask you something else?');
  answer(answers);
  await send.click();
  await expect.poll(address).toBe(`/messages/${conversation.id}`);
  const [one, other] = askedFor('messaging.conversations.open') as {
    conversationId: string;
    messageId: string;
  }[];
  expect(other!.conversationId).toBe(one!.conversationId);
  expect(other!.messageId).not.toBe(one!.messageId);
});

test('sends a first message by keyboard alone', { tags: ['long'] }, async () => {
  await expect.element(subject).toBeEnabled();
  await tabTo(subject);
  await userEvent.keyboard('A first question');
  await tabTo(words);
  await userEvent.keyboard('May I ask you something?');
  await press(send);
  await expect.poll(address).toBe(`/messages/${conversation.id}`);
  await expect
    .poll(() => askedFor('messaging.conversations.open'))
    .toMatchObject([{ subject: 'A first question', text: 'May I ask you something?', withId: person.id }]);
});

test('opens the existing conversation with a person', async () => {
  await openPage(path, {
    as: 'client',
    answers: {
      'messaging.conversations.withPerson': { person, conversation },
      // The opened page may mark messages as read before this test ends.
      'messaging.conversations.read': conversation,
    },
  });
  await expect.poll(address).toBe(`/messages/${conversation.id}`);
});

test('hides the name of a person the client can’t write to', async () => {
  await openPage(path, {
    as: 'client',
    answers: { 'messaging.conversations.withPerson': refusal(404, 'not_found') },
  });
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('You can’t message this person');
  await expect.element(main.getByText(`To ${person.name}`)).not.toBeInTheDocument();
  await expectFair('somebody to whom one may not write');
});

test('asks a guest to sign in to message a specialist, with its own text and picture', async () => {
  await openPage('/therapists/dr-sarah-whitfield');
  await expect.element(page.getByRole('button', { name: /^Book \w+, / }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Send Message to Dr. Sarah Whitfield' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect
    .element(prompt)
    .toMatchTextContent(
      'Sign in to send secure messages and communicate with your counselor. Your conversations are private.',
    );
  expect(prompt.element().querySelector('svg.lucide-message-circle-heart')).not.toBeNull();
  await expectFair('the prompt for messages');
});
