import { newId } from '#/platform/clock.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import { withApiToken } from '../api-tokens/contract.test.cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, client, call, newClient, newProvider, newAdmin } = stage;
  return {
    'directory.list': async () => ({ by: await newAdmin(), about: null }),
    'directory.open': async () => ({ by: await newAdmin(), input: { userId: client.id }, about: client.id }),
    'directory.edit': async () => {
      const { id: userId } = await newClient();
      const { version } = await call<{ version: string }>(admin, 'directory.open', { userId });
      return { by: admin, input: { userId, version, email: `${newId()}@weiss.example` }, about: userId };
    },
    'directory.changeRole': async () => {
      const { id: userId } = await newProvider();
      return { by: admin, input: { userId, from: 'doctor', to: 'pastor' }, about: userId };
    },
    'directory.suspend': async () => {
      const { id: userId } = await newClient();
      return { by: admin, input: { userId, sessions: [] }, about: userId };
    },
    'directory.reactivate': async () => {
      const { id: userId } = await newClient();
      await call(admin, 'directory.suspend', { userId, sessions: [] });
      return { by: admin, input: { userId }, about: userId };
    },
    'directory.remove': async () => {
      const { id: userId, email } = await newClient();
      return { by: admin, input: { userId, email }, about: userId };
    },
    'directory.revokeApiToken': async () => {
      const { by, input } = await withApiToken(stage);
      return { by: admin, input: { userId: by.id, tokenId: input.id }, about: by.id };
    },
    'directory.export': async () => ({
      by: admin,
      input: { search: 'Ruth Amsel', beyond: undefined },
      about: null,
    }),
  };
}

export const withoutSubject: NamesBy = { 'it is about the site or a whole list': ['users_exported'] };

export const updates: NamesBy = {
  'accounts.api_tokens_changed other': ['directory.revokeApiToken'],
  'accounts.profile_changed other': ['directory.edit'],
  'closed session': ['directory.edit', 'directory.changeRole', 'directory.suspend', 'directory.remove'],
  'directory.changed role:super_admin': [
    'directory.edit',
    'directory.changeRole',
    'directory.suspend',
    'directory.reactivate',
    'directory.remove',
    'directory.revokeApiToken',
  ],
};

export const jobs: NamesBy = {
  'notifications.verification': ['directory.edit'],
  'personal.erase': ['directory.remove'],
};
