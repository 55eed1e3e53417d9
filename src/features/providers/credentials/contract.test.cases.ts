import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, call, newProvider } = stage;

  async function credential() {
    const by = await newProvider();
    const { id } = await call(by, 'providers.credentials.submit', { replaces: undefined });
    return { by, credentialId: id };
  }

  return {
    'providers.credentials.submit': async () => ({ by: await newProvider(), input: { replaces: undefined } }),
    'providers.credentials.withdraw': async () => {
      const { by, credentialId } = await credential();
      return { by, input: { credentialId }, about: credentialId };
    },
    'providers.credentials.approve': async () => {
      const { credentialId } = await credential();
      return { by: admin, input: { credentialId }, about: credentialId };
    },
    'providers.credentials.reject': async () => {
      const { credentialId } = await credential();
      return { by: admin, input: { credentialId }, about: credentialId };
    },
  };
}

export const updates: NamesBy = {
  'providers.credentials_changed role:super_admin self': [
    'providers.credentials.submit',
    'providers.credentials.withdraw',
  ],
  'providers.credentials_changed other role:super_admin': [
    'providers.credentials.approve',
    'providers.credentials.reject',
  ],
};

export const jobs: NamesBy = {
  'notifications.credential': ['providers.credentials.approve', 'providers.credentials.reject'],
};
