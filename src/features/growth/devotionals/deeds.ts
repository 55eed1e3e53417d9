import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { admin, call } = stage;
  return {
    'growth.devotionals.edit': async () => {
      const { version } = await call<{ version: number }>(admin, 'growth.devotionals.entry');
      return { by: admin, input: { version }, about: null, named: '05-05' };
    },
  };
}

export const nameless: Told = { 'its details say which': ['devotional_edited'] };
