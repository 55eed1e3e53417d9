import { defineFeature } from '#/platform/feature.ts';
import type { Ctx } from '#/platform/context.ts';
import { handle } from '#/platform/http/bind.ts';
import { resetSettings, saveSettings } from './commands.ts';
import { settingsContract } from './contract.ts';
import { changeFlags, setFlagScope, switchFlag, type FindPeople } from './flags/commands.ts';
import { flagsContract } from './flags/contract.ts';
import { flagViews } from './flags/queries.ts';
import { settingsHistoryPersonal, settingsPersonal } from './personal.ts';
import { signInFlags } from './flags/rules.ts';
import { adminSettings, publicSiteOf, settingsHistory, type SiteConfig } from './queries.ts';
import { signInSettings } from './rules.ts';

interface Parts {
  findPeople: FindPeople;
  requireFresh: (ctx: Ctx) => Promise<void>;
}

/** Names a flag's people, and asks for a fresh sign-in before sign-in rules change, through a later feature. */
export const settings = ({ findPeople, requireFresh }: Parts) =>
  defineFeature({
    handlers: (config: SiteConfig) => ({
      settings: handle(settingsContract, {
        site: (ctx) => publicSiteOf(ctx, config),
        admin: adminSettings,
        save: async (ctx, input) => {
          if (signInSettings.some((id) => input.change[id] !== undefined)) await requireFresh(ctx);
          return saveSettings(ctx, input);
        },
        reset: async (ctx, input) => {
          await requireFresh(ctx);
          return resetSettings(ctx, input);
        },
        history: settingsHistory,
      }),
      flags: handle(flagsContract, {
        list: flagViews,
        turn: async (ctx, input) => {
          if (signInFlags.includes(input.flagId)) await requireFresh(ctx);
          return switchFlag(ctx, input);
        },
        setScope: async (ctx, input) => {
          if (signInFlags.includes(input.flagId)) await requireFresh(ctx);
          return setFlagScope(ctx, input, findPeople);
        },
        changeMany: async (ctx, input) => {
          await requireFresh(ctx);
          return changeFlags(ctx, input);
        },
      }),
    }),
    personal: [settingsHistoryPersonal, settingsPersonal],
  });
