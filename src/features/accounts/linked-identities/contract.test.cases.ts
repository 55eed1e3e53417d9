import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Player, Stage } from '../../../../tests/support/stage.ts';
import type { IdentityView } from './contract.ts';

export function cases({ call, newClient, openId }: Stage): Cases {
  async function confirmed(): Promise<Player> {
    const by = await newClient();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    return by;
  }

  async function answered() {
    const by = await confirmed();
    const { continueAt } = await call<{ continueAt: string }>(by, 'identities.begin');
    return { by, input: { answer: openId!.visit(continueAt) }, about: by.id };
  }

  async function signed() {
    const by = await confirmed();
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { address } = wallet;
    const { message } = await call<{ message: string }>(by, 'identities.beginWallet', { address });
    return { by, input: { message, signature: await wallet.signMessage({ message }) }, about: by.id };
  }

  return {
    'identities.beginWallet': async () => ({ by: await confirmed() }),
    'identities.connectWallet': signed,
    'identities.begin': async () => ({ by: await confirmed() }),
    'identities.connect': answered,
    'identities.remove': async () => {
      const { by, input } = await answered();
      const [identity] = await call<IdentityView[]>(by, 'identities.connect', input);
      return { by, input: { id: identity!.id }, about: by.id };
    },
  };
}

export const updates: NamesBy = {
  'accounts.identities_changed self': ['identities.connect', 'identities.connectWallet', 'identities.remove'],
};

export const jobs: NamesBy = {
  'notifications.secured': ['identities.connect', 'identities.connectWallet', 'identities.remove'],
};
