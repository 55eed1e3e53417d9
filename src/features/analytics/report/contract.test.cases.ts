import type { FileCases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

const days = { from: '2026-01-01', to: '2026-02-01' };

export function downloadCases(stage: Stage): FileCases {
  const { admin } = stage;
  return {
    '/analytics/report.csv': async () => ({
      leaves: ['analytics.exported system_settings'],
      by: admin,
      query: days,
      about: null,
    }),
    '/analytics/report.pdf': async () => ({
      leaves: ['analytics.exported system_settings'],
      by: admin,
      query: days,
      about: null,
    }),
  };
}

export const withoutSubject: NamesBy = { 'it is about the site or a whole list': ['analytics.exported'] };
