import type { Deeds } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { admin } = stage;
  return {
    'administration.door': async () => ({ by: admin }),
  };
}
