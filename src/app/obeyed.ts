import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Log } from '#/platform/log.ts';
import type { Hub } from '#/platform/realtime/hub.ts';

/** The channel on which the database tells every process that the settings were changed. */
const settingsChannel = 'settings';

/** What a process itself obeys of the site settings. */
export interface Obeyed {
  /** Whether the site is closed to everyone but administrators. */
  readonly maintenance: boolean;
  /** Whether the log tells of each request. */
  readonly debug: boolean;
  /** Resolves once every change that was told to this process so far is obeyed. */
  settled(): Promise<void>;
}

/**
 * Keeps what this process obeys as the settings are, and sets its log's level by them; `begin` reads them once and then
 * follows each change.
 */
export function obeySettings({
  context,
  hub,
  log,
}: {
  context: () => Ctx;
  hub: Pick<Hub, 'listen'>;
  log: Log;
}): { obeyed: Obeyed; begin(): Promise<void> } {
  // One after the other, so that the last one read is the last one told.
  let last = Promise.resolve();
  const obeyed = { maintenance: false, debug: false, settled: () => last };
  const read = async () => {
    const settings = await siteSettings(context());
    obeyed.maintenance = settings.maintenance_mode;
    obeyed.debug = settings.debug_mode;
    log.level = settings.log_level;
  };
  const follow = () => {
    last = last
      .then(read)
      .catch((error: unknown) => log.error({ err: error }, 'the settings could not be read'));
  };
  return {
    obeyed,
    async begin() {
      await hub.listen(settingsChannel, follow);
      await read();
    },
  };
}
