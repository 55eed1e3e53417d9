import { unsubscribeLinks } from '#/features/notifications/unsubscribe/commands.ts';
import type { Cases } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { server, db, client } = stage;

  function mailToken() {
    const { appUrl, authSecret: secret } = server.config;
    const { oneClick } = unsubscribeLinks({ appUrl, secret }, 'devotional', client.id);
    return new URL(oneClick).searchParams.get('token');
  }

  return {
    'mailChoice.set': async () => {
      await db.updateTable('profiles').set({ daily_devotionals: true }).where('id', '=', client.id).execute();
      return { by: server.guest, input: { token: mailToken() }, about: client.id };
    },
    'mailChoice.get': async () => ({ by: server.guest, input: { token: mailToken() } }),
  };
}
