import { bind } from '#/platform/http/procedures.ts';
import { settingsContract } from './contract.ts';
import { publicSiteOf, type SiteConfig } from './queries.ts';

const os = bind(settingsContract);

/** Binds the settings' procedures; what the configuration says of the site is passed in. */
export function settingsProcedures(config: SiteConfig) {
  return os.router({ site: os.site.handler(({ context }) => publicSiteOf(context, config)) });
}
