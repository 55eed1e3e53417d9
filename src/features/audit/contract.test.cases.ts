import type { Cases, FileCases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, newAdmin } = stage;
  return {
    'audit.list': async () => ({ by: await newAdmin(), about: null }),
    'audit.export': async () => ({ by: admin }),
  };
}

export function downloadCases(stage: Stage): FileCases {
  const { admin } = stage;
  return {
    '/admin/audit-log.csv': async () => ({ leaves: ['audit.log_exported security'], by: admin, about: null }),
    '/admin/audit-log.json': async () => ({
      leaves: ['audit.log_exported security'],
      by: admin,
      about: null,
    }),
  };
}

export const withoutSubject: NamesBy = {
  'it is about the site or a whole list': ['audit.log_exported', 'audit.log_read'],
};
