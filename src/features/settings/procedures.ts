import { bind } from '#/platform/http/procedures.ts';
import { resetSettings, saveSettings } from './commands.ts';
import { settingsContract } from './contract.ts';
import { settingsHistory } from './history/queries.ts';
import { adminSettings, publicSiteOf, type SiteConfig } from './queries.ts';

const os = bind(settingsContract);

export function settingsProcedures(config: SiteConfig) {
  return os.router({
    site: os.site.handler(({ context }) => publicSiteOf(context, config)),
    admin: os.admin.handler(({ context }) => adminSettings(context)),
    save: os.save.handler(({ context, input }) => saveSettings(context, input)),
    reset: os.reset.handler(({ context, input }) => resetSettings(context, input)),
    history: os.history.handler(({ context, input }) => settingsHistory(context, input)),
  });
}
