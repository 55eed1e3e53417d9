import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, newAdmin } = stage;
  return {
    'names.of': async () => ({ by: admin }),
    'names.find': async () => ({ by: await newAdmin(), about: null }),
  };
}

export const withoutSubject: NamesBy = { 'it is about the site or a whole list': ['users_listed'] };
