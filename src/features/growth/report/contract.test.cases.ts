import type { FileCases } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function downloadCases(stage: Stage): FileCases {
  const { client } = stage;
  return {
    '/me/progress-report.pdf': async () => ({ by: client }),
  };
}
