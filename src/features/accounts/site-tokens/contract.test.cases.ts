import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Player, Stage } from '../../../../tests/support/stage.ts';

async function confirmed({ call, newAdmin }: Stage): Promise<Player> {
  const by = await newAdmin();
  await call(by, 'reauthentication.confirm', { password: demoPassword });
  return by;
}

export function cases(stage: Stage): Cases {
  return {
    'siteTokens.create': async () => ({ by: await confirmed(stage) }),
    'siteTokens.revoke': async () => {
      const by = await confirmed(stage);
      const { id } = await stage.call(by, 'siteTokens.create');
      return { by, input: { id }, about: id };
    },
  };
}

export const withoutSubject: NamesBy = { 'the token is gone': ['site_token_revoked'] };

export const updates: NamesBy = {
  'accounts.site_tokens_changed role:super_admin': ['siteTokens.create', 'siteTokens.revoke'],
};

export const jobs: NamesBy = { 'notifications.secured': ['siteTokens.create'] };
