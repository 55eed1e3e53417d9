import type { Cases } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin } = stage;
  return {
    'administration.portal': async () => ({ by: admin }),
  };
}
