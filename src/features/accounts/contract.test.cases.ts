import { demoPassword } from '#/features/accounts/demo.ts';
import { png } from '../../../tests/support/bytes.ts';
import type { Cases, FileCases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, call, upload, newClient, signInAgain } = stage;
  return {
    'accounts.updatePreferences': async () => ({ by: client, about: client.id }),
    'accounts.updateProfile': async () => ({ by: client, about: client.id }),
    'accounts.removePhoto': async () => {
      await upload(client, '/me/photo', png);
      return { by: client, about: client.id };
    },
    'accounts.signOutDevice': async () => {
      const by = await newClient();
      await signInAgain(by);
      await call(by, 'reauthentication.confirm', { password: demoPassword });
      const devices = await call<{ id: string; current: boolean }[]>(by, 'accounts.devices');
      return { by, input: { id: devices.find((one) => !one.current)!.id }, about: by.id };
    },
    'accounts.signOutOtherDevices': async () => {
      const by = await newClient();
      await signInAgain(by);
      await call(by, 'reauthentication.confirm', { password: demoPassword });
      return { by, about: by.id };
    },
  };
}

export function uploadCases(stage: Stage): FileCases {
  const { client } = stage;
  return {
    '/me/photo': async () => ({
      leaves: ['photo_changed user_management person'],
      by: client,
      body: png,
      about: client.id,
    }),
  };
}

export const withoutValues: NamesBy = { 'it is a secret, or a picture': ['password_set', 'photo_changed'] };

export const updates: NamesBy = {
  'accounts.profile_changed self': ['accounts.updateProfile', 'accounts.removePhoto'],
  'closed session': ['accounts.signOutDevice', 'accounts.signOutOtherDevices'],
};

export const jobs: NamesBy = {
  'files.delete-bytes': ['accounts.removePhoto'],
};
