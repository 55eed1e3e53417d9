import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Player, Stage } from '../../../../tests/support/stage.ts';

async function confirmed({ call, newClient }: Stage): Promise<Player> {
  const by = await newClient();
  await call(by, 'reauthentication.confirm', { password: demoPassword });
  return by;
}

export async function withApiToken(stage: Stage) {
  const by = await confirmed(stage);
  const { id } = await stage.call(by, 'apiTokens.create');
  return { by, input: { id }, about: by.id };
}

export function cases(stage: Stage): Cases {
  return {
    'apiTokens.create': async () => {
      const by = await confirmed(stage);
      return { by, about: by.id };
    },
    'apiTokens.revoke': () => withApiToken(stage),
  };
}

export const updates: NamesBy = {
  'accounts.api_tokens_changed self': ['apiTokens.create', 'apiTokens.revoke'],
};

export const jobs: NamesBy = { 'notifications.secured': ['apiTokens.create'] };
