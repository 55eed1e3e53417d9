import type { Deeds, Sendings, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { admin, newAdmin } = stage;
  return {
    'audit.list': async () => ({ by: await newAdmin(), about: null }),
    'audit.export': async () => ({ by: admin }),
  };
}

export function fetches(stage: Stage): Sendings {
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

export const nameless: Told = {
  'it is about the site or a whole list': ['audit.log_exported', 'audit.log_read'],
};
