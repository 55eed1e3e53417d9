import { demoPassword } from '#/features/accounts/demo.ts';
import { newAuthenticator } from '../../../../tests/support/authenticator.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Player, Stage } from '../../../../tests/support/stage.ts';
import type { CreationOptions } from '../webauthn/contract.ts';

export function cases(stage: Stage): Cases {
  const { call, newClient } = stage;

  async function confirmed(): Promise<Player> {
    const by = await newClient();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    return by;
  }

  async function made(by: Player) {
    const options = await call<CreationOptions>(by, 'passkeys.begin');
    return newAuthenticator('http://italk.test:3000').create(options);
  }

  async function withPasskey() {
    const by = await confirmed();
    const { id } = await call(by, 'passkeys.add', { passkey: await made(by) });
    return { by, input: { id }, about: by.id };
  }

  return {
    'passkeys.begin': async () => ({ by: await confirmed() }),
    'passkeys.add': async () => {
      const by = await confirmed();
      return { by, input: { passkey: await made(by) }, about: by.id };
    },
    'passkeys.rename': withPasskey,
    'passkeys.remove': withPasskey,
    'passkeys.ask': async () => ({ by: (await withPasskey()).by }),
  };
}

export const updates: NamesBy = {
  'accounts.passkeys_changed self': ['passkeys.add', 'passkeys.rename', 'passkeys.remove'],
};

export const jobs: NamesBy = {
  'notifications.secured': ['passkeys.add', 'passkeys.remove'],
};
