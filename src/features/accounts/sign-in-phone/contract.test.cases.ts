import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases({ call, newClient, texts }: Stage): Cases {
  async function confirmed() {
    const by = await newClient();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    return by;
  }

  async function texted(phone: string) {
    const by = await confirmed();
    await call(by, 'signInPhone.begin', { phone });
    return { by, input: { phone, code: texts!.codeTo(phone) }, about: by.id };
  }

  return {
    'signInPhone.begin': async () => {
      const by = await confirmed();
      return { by, about: by.id };
    },
    'signInPhone.add': () => texted('+12125550124'),
    'signInPhone.remove': async () => {
      const { by, input } = await texted('+12125550125');
      await call(by, 'signInPhone.add', input);
      return { by, about: by.id };
    },
  };
}

export const updates: NamesBy = {
  'accounts.sign_in_phone_changed self': ['signInPhone.add', 'signInPhone.remove'],
};

export const jobs: NamesBy = {
  'notifications.secured': ['signInPhone.add', 'signInPhone.remove'],
};
