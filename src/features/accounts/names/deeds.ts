import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { admin, newAdmin } = stage;
  return {
    'names.of': async () => ({ by: admin }),
    'names.find': async () => ({ by: await newAdmin(), about: null }),
  };
}

export const nameless: Told = { 'it is about the site or a whole list': ['users_listed'] };
