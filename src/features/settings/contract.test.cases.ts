import { newId } from '#/platform/clock.ts';
import type { Cases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function settingsOn(stage: Stage) {
  const { admin, call } = stage;

  const settingsVersion = async () => (await call<{ version: number }>(admin, 'settings.admin')).version;

  return { settingsVersion };
}

export function cases(stage: Stage): Cases {
  const { admin, call } = stage;
  const { settingsVersion } = settingsOn(stage);
  return {
    'settings.save': async () => ({
      by: admin,
      input: { version: await settingsVersion(), change: { siteName: `Cedar ${newId()}` } },
      about: null,
    }),
    'settings.reset': async () => {
      await call(admin, 'settings.save', {
        version: await settingsVersion(),
        change: { siteName: 'Elm House' },
      });
      return { by: admin, input: { version: await settingsVersion() }, about: null };
    },
  };
}

export const withoutSubject: NamesBy = {
  'it is about the site or a whole list': ['settings.changed', 'settings.reset'],
};

export const updates: NamesBy = {
  'site.changed role:client role:doctor role:pastor role:super_admin': ['settings.save', 'settings.reset'],
};
