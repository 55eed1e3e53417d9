import type { Sendings } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function fetches(stage: Stage): Sendings {
  const { client } = stage;
  return {
    '/me/progress-report.pdf': async () => ({ by: client }),
  };
}
