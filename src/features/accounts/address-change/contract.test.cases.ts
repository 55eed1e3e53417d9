import { newId } from '#/platform/clock.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { server, admin, call, newClient } = stage;

  /** A client whose email an administrator changed. */
  async function readdressed(): Promise<{ id: string; token: string }> {
    const { id, email } = await newClient();
    const { version } = await call<{ version: string }>(admin, 'directory.open', { userId: id });
    await call(admin, 'directory.edit', { userId: id, version, email: `${newId()}@weiss.example` });
    const mails = await server.database.readMails((rows) => rows.where('recipient', '=', email));
    const all = mails.map(({ text_body }) => text_body).join('\n');
    return { id, token: /address-change#([\w-]+)/.exec(all)![1]! };
  }

  return {
    'addressChange.get': async () => ({ by: server.guest, input: { token: (await readdressed()).token } }),
    'addressChange.undo': async () => {
      const { id, token } = await readdressed();
      return { by: server.guest, input: { token }, about: id };
    },
    'addressChange.confirm': async () => {
      const { id, token } = await readdressed();
      return { by: server.guest, input: { token }, about: id };
    },
  };
}

export const jobs: NamesBy = {
  'feed.address_given_back': ['addressChange.undo'],
  'notifications.verification': ['addressChange.confirm'],
};
