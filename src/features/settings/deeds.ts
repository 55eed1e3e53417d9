import { newId } from '#/platform/clock.ts';
import type { Deeds, Told } from '../../../tests/support/deeds.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function settingsOn(stage: Stage) {
  const { admin, call } = stage;

  const settingsVersion = async () => (await call<{ version: number }>(admin, 'settings.admin')).version;

  return { settingsVersion };
}

export function deeds(stage: Stage): Deeds {
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

export const nameless: Told = {
  'it is about the site or a whole list': ['settings.changed', 'settings.reset'],
};

export const tells: Told = {
  'site.changed role:client role:doctor role:pastor role:super_admin': ['settings.save', 'settings.reset'],
};
