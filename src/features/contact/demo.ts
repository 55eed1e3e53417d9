import type { TxCtx } from '#/platform/context.ts';
import { receive } from './commands.ts';

/** Demo messages, with their age in hours. */
const messages = [
  {
    hours: 3,
    name: 'Miriam Cole',
    email: 'miriam.cole@italk.example',
    subject: 'Evening sessions',
    message:
      'Do any of your specialists see people after six? I work until five and it takes me an hour to get home.',
  },
  {
    hours: 27,
    name: 'Andrew Blake',
    email: 'andrew.blake@italk.example',
    subject: 'A session for the two of us',
    message:
      'My wife and I would like to come together.\n\nDo we book one session, or one each? And could we meet in person the first time?',
  },
  {
    hours: 51,
    name: 'Lydia Stone',
    email: 'lydia.stone@italk.example',
    subject: 'Thank you',
    message: 'I just wanted to say that Tuesday’s devotional came at the right time. Thank you.',
  },
];

export async function seedContact(tx: TxCtx): Promise<void> {
  for (const { hours, ...written } of messages) {
    const sentAt = tx.now().subtract({ hours });
    const then: TxCtx = { ...tx, now: () => sentAt, actor: { kind: 'guest' } };
    await receive(then, tx.newId(), written, () => Promise.resolve(false));
  }
}
