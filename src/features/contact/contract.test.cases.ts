import { issueForm } from '#/features/contact/commands.ts';
import { findSolution } from '#/features/contact/proof/rules.ts';
import { quickest } from '#/features/contact/rules.ts';
import { systemNow } from '#/platform/clock.ts';
import type { Cases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function contactOn(stage: Stage) {
  const { server, db, call } = stage;

  async function contactForm() {
    // Forms sent immediately count as bots.
    const earlier = systemNow().subtract({ seconds: quickest });
    const form = issueForm({ ...server.database.as({ kind: 'guest' }), now: () => earlier });
    let solution: number | null = null;
    for (let from = 1; solution === null; from += 4_000) solution = findSolution(form.challenge, from, 4_000);
    return { token: form.token, solution };
  }

  let theMessage: Promise<string> | null = null;

  const message = () => (theMessage ??= sendMessage());

  async function sendMessage() {
    await call(server.guest, 'contact.send', await contactForm());
    const { id } = await db
      .selectFrom('contact_messages')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return id;
  }

  return { contactForm, message };
}

export function cases(stage: Stage): Cases {
  const { server, admin, call, newAdmin, newest } = stage;
  const { contactForm, message } = contactOn(stage);
  return {
    'contact.inbox': async () => ({ by: await newAdmin(), about: null }),
    'contact.send': async () => ({
      by: server.guest,
      input: await contactForm(),
      about: () => newest('contact_messages'),
    }),
    'contact.answer': async () => {
      const messageId = await message();
      return { by: admin, input: { messageId, answerId: undefined }, about: messageId };
    },
    'contact.undoAnswer': async () => {
      const messageId = await message();
      const { answers } = await call<{ answers: { id: string }[] }>(admin, 'contact.get', { messageId });
      const written = await call<{ answers: { id: string }[] }>(admin, 'contact.answer', {
        messageId,
        answerId: undefined,
        seen: answers.length,
      });
      return { by: admin, input: { answerId: written.answers.at(-1)!.id }, about: messageId };
    },
    'contact.close': async () => {
      const messageId = await message();
      return { by: admin, input: { messageId }, about: messageId };
    },
    'contact.reopen': async () => {
      const messageId = await message();
      await call(admin, 'contact.close', { messageId });
      return { by: admin, input: { messageId }, about: messageId };
    },
    'contact.annotate': async () => {
      const messageId = await message();
      return { by: admin, input: { messageId }, about: messageId };
    },
    'contact.get': async () => {
      const messageId = await message();
      return { by: await newAdmin(), input: { messageId }, about: messageId };
    },
  };
}

export const withoutSubject: NamesBy = { 'it is about the site or a whole list': ['contact.inbox_viewed'] };

export const withoutValues: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': ['contact.annotated', 'contact.answer_taken_back'],
};

export const updates: NamesBy = {
  'contact.received role:super_admin': ['contact.send'],
  'contact.changed role:super_admin': [
    'contact.answer',
    'contact.undoAnswer',
    'contact.close',
    'contact.reopen',
    'contact.annotate',
  ],
};

export const jobs: NamesBy = {
  'contact.mails': ['contact.send'],
  'contact.answer': ['contact.answer'],
};
