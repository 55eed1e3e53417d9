import type { FlagView } from '#/features/settings/flags/contract.ts';
import { bulkChanges } from '#/features/settings/flags/rules.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function flagsOn(stage: Stage) {
  const { admin, call } = stage;

  const flags = () => call<FlagView[]>(admin, 'flags.list');

  const flag = async (id: string) => (await flags()).find((one) => one.id === id)!;

  const flagChanges = async () =>
    bulkChanges('reset', await flags()).map((one) => ({ flagId: one.flag.id, version: one.flag.version }));

  async function turnedFlag() {
    const expected = await flagChanges();
    if (expected.length > 0) await call(admin, 'flags.changeMany', { expected });
    const { id: flagId, version } = await flag('mobile_app_access');
    await call(admin, 'flags.turn', { flagId, version, enabled: false });
    return flagId;
  }

  return { flag, flagChanges, turnedFlag };
}

export function cases(stage: Stage): Cases {
  const { admin } = stage;
  const { flag, flagChanges, turnedFlag } = flagsOn(stage);
  return {
    'flags.turn': async () => {
      const { id: flagId, version, enabled } = await flag('calendar_integration');
      return { by: admin, input: { flagId, version, enabled: !enabled }, about: null, named: flagId };
    },
    'flags.setScope': async () => {
      const { id: flagId, version } = await flag('mobile_app_access');
      const input = { flagId, version, scope: 'user_specific' };
      return { by: admin, input, about: null, named: flagId };
    },
    'flags.changeMany': async () => {
      const named = await turnedFlag();
      return { by: admin, input: { expected: await flagChanges() }, about: null, named };
    },
  };
}

export const updates: NamesBy = {
  'site.changed role:client role:doctor role:pastor role:super_admin': [
    'flags.turn',
    'flags.setScope',
    'flags.changeMany',
  ],
};
