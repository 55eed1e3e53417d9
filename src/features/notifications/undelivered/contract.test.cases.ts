import { newId } from '#/platform/clock.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { server, db, admin } = stage;

  async function failedMail(): Promise<string> {
    const id = newId();
    const mail = {
      kind: 'welcome',
      to: 'ann@people.example',
      subject: 'Hello',
      text: 'Hi',
      html: 'Hi',
    } as const;
    await sendMail(server.database.as({ kind: 'system' }), { ...mail, key: id });
    const failed = await db
      .updateTable('mails')
      .set({ failed_at: new Date(), fault: '550 5.1.1' })
      .where('key', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow();
    return failed.id;
  }

  return {
    'undelivered.sendAgain': async () => {
      const mailId = await failedMail();
      return { by: admin, input: { mailId }, about: mailId };
    },
    'undelivered.sendAllAgain': async () => {
      await db.deleteFrom('mails').where('failed_at', 'is not', null).execute();
      return { by: admin, about: await failedMail() };
    },
    'undelivered.dismiss': async () => {
      const mailId = await failedMail();
      return { by: admin, input: { mailId }, about: mailId };
    },
  };
}

export const withoutSubject: NamesBy = { 'its details say which': ['mail.dismissed', 'mail.sent_again'] };
