import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { resetSettings, saveSettings } from './commands.ts';
import { settingsContract } from './contract.ts';
import { changeFlags, setFlagScope, turnFlag, type FindPeople } from './flags/commands.ts';
import { flagsContract } from './flags/contract.ts';
import { flagViews } from './flags/queries.ts';
import { settingsHistoryPersonal, settingsPersonal } from './personal.ts';
import { adminSettings, publicSiteOf, settingsHistory, type SiteConfig } from './queries.ts';

const os = bind({ settings: settingsContract, flags: flagsContract });

/** `findPeople` names a flag's people through a later feature. */
export const settings = ({ findPeople }: { findPeople: FindPeople }) =>
  defineFeature({
    handlers: (config: SiteConfig) => ({
      settings: os.settings.router({
        site: os.settings.site.handler(({ context }) => publicSiteOf(context, config)),
        admin: os.settings.admin.handler(({ context }) => adminSettings(context)),
        save: os.settings.save.handler(({ context, input }) => saveSettings(context, input)),
        reset: os.settings.reset.handler(({ context, input }) => resetSettings(context, input)),
        history: os.settings.history.handler(({ context, input }) => settingsHistory(context, input)),
      }),
      flags: os.flags.router({
        list: os.flags.list.handler(({ context }) => flagViews(context)),
        turn: os.flags.turn.handler(({ context, input }) => turnFlag(context, input)),
        setScope: os.flags.setScope.handler(({ context, input }) => setFlagScope(context, input, findPeople)),
        changeMany: os.flags.changeMany.handler(({ context, input }) => changeFlags(context, input)),
      }),
    }),
    personal: [settingsHistoryPersonal, settingsPersonal],
  });
