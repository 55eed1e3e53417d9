import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, call } = stage;
  return {
    'growth.devotionals.edit': async () => {
      const { version } = await call<{ version: number }>(admin, 'growth.devotionals.entry');
      return { by: admin, input: { version }, about: null, named: '05-05' };
    },
  };
}

export const withoutSubject: NamesBy = { 'its details say which': ['devotional_edited'] };
