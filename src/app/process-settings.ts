import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Log } from '#/platform/log.ts';
import type { Hub } from '#/platform/realtime/hub.ts';

const settingsChannel = 'settings';

export interface ProcessSettings {
  readonly maintenance: boolean;
  readonly debug: boolean;
  /** Resolves once all announced changes are applied. */
  settled(): Promise<void>;
}

/** Applies site settings to this process, including its log level. `begin` reads them once, then follows changes. */
export function followSettings({
  context,
  hub,
  log,
}: {
  context: () => Ctx;
  hub: Pick<Hub, 'listen'>;
  log: Log;
}): { processSettings: ProcessSettings; begin(): Promise<void> } {
  // Sequential reads, so the latest settings win.
  let last = Promise.resolve();
  const processSettings = { maintenance: false, debug: false, settled: () => last };
  const read = async () => {
    const settings = await siteSettings(context());
    processSettings.maintenance = settings.maintenance_mode;
    processSettings.debug = settings.debug_mode;
    log.level = settings.log_level;
  };
  const follow = () => {
    last = last
      .then(read)
      .catch((error: unknown) => log.error({ err: error }, 'the settings could not be read'));
  };
  return {
    processSettings,
    async begin() {
      await hub.listen(settingsChannel, follow);
      await read();
    },
  };
}
