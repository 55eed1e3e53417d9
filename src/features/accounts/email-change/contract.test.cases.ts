import { demoPassword } from '#/features/accounts/demo.ts';
import { newId } from '#/platform/clock.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases({ server, call, newClient }: Stage): Cases {
  async function confirmed() {
    const by = await newClient();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    return by;
  }

  /** Someone who asked for another email. */
  async function asked() {
    const by = await confirmed();
    await call(by, 'emailChange.request', { email: `${newId()}@weiss.example` });
    return { by, about: by.id };
  }

  async function linked() {
    const { by } = await asked();
    await server.database.runJobs();
    const mails = await server.database.readMails((rows) => rows.where('recipient', '=', by.email));
    const all = mails.map(({ text_body }) => text_body).join('\n');
    return { by: server.guest, input: { token: /email-change#([\w-]+)/.exec(all)![1]! }, about: by.id };
  }

  return {
    'emailChange.request': async () => {
      const by = await confirmed();
      return { by, about: by.id };
    },
    'emailChange.resend': asked,
    'emailChange.cancel': asked,
    'emailChange.read': linked,
    'emailChange.confirm': linked,
  };
}

export const updates: NamesBy = {
  'accounts.profile_changed self': ['emailChange.request', 'emailChange.resend', 'emailChange.cancel'],
  'accounts.profile_changed other': ['emailChange.confirm'],
};

export const jobs: NamesBy = {
  'notifications.email-change': ['emailChange.request', 'emailChange.resend'],
};
