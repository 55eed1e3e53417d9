import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { resetSettings, saveSettings } from './commands.ts';
import { settingsContract } from './contract.ts';
import { changeFlags, setFlagScope, turnFlag, type FindPeople } from './flags/commands.ts';
import { flagsContract } from './flags/contract.ts';
import { flagViews } from './flags/queries.ts';
import { settingsHistoryPersonal, settingsPersonal } from './personal.ts';
import { adminSettings, publicSiteOf, settingsHistory, type SiteConfig } from './queries.ts';

/** `findPeople` names a flag's people through a later feature. */
export const settings = ({ findPeople }: { findPeople: FindPeople }) =>
  defineFeature({
    handlers: (config: SiteConfig) => ({
      settings: handle(settingsContract, {
        site: (ctx) => publicSiteOf(ctx, config),
        admin: adminSettings,
        save: saveSettings,
        reset: resetSettings,
        history: settingsHistory,
      }),
      flags: handle(flagsContract, {
        list: flagViews,
        turn: turnFlag,
        setScope: (ctx, input) => setFlagScope(ctx, input, findPeople),
        changeMany: changeFlags,
      }),
    }),
    personal: [settingsHistoryPersonal, settingsPersonal],
  });
