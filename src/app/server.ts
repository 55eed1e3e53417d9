import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '#/kernel/actor.ts';
import { requireActing } from '#/features/accounts/policies.ts';
import type { Identity } from '#/features/accounts/endpoints/commands.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx, ProcessContext } from '#/platform/context.ts';
import { strictTransport } from '#/platform/http/headers.ts';
import type { Scheduler } from '#/platform/jobs/scheduler.ts';
import type { Log } from '#/platform/log.ts';
import type { Hub } from '#/platform/realtime/hub.ts';
import { channels, frames } from './api.ts';
import { bound, type Server } from './listening.ts';
import type { Pages } from './rendering.ts';
import { followSettings } from './process-settings.ts';
import { requestListener } from './requests.ts';
import { socketUpgrades } from './socket-upgrades.ts';

/** Milliseconds in-flight requests may take during shutdown. */
const lastRequestsMs = 10_000;

export interface Parts {
  config: Config;
  base: ProcessContext;
  hub: Hub;
  identity: Identity;
  pages: Pages;
  log: Log;
  schedules: Scheduler['states'];
}

/** Serves requests and sockets on one port. */
export function createApp(parts: Parts): Server {
  const { config, base, hub, identity, pages, log, schedules } = parts;
  let closing = false;

  const contextOf = (actor: Actor, requestId: string, address: string): Ctx => ({
    ...base,
    actor,
    requestId,
    address,
    requireActing,
  });

  const { processSettings, begin } = followSettings({
    context: () => ({ ...contextOf({ kind: 'system' }, base.newId(), ''), address: null }),
    hub,
    log,
  });

  const answer = requestListener({
    config,
    base,
    identity,
    pages,
    log,
    schedules,
    processSettings,
    contextOf,
    isClosing: () => closing,
  });
  const upgrade = socketUpgrades({
    config,
    hub,
    identity,
    log,
    frames,
    channels,
    isInMaintenance: () => processSettings.maintenance,
    contextOf: (actor, address) => contextOf(actor, base.newId(), address),
  });

  const https = config.appUrl.startsWith('https://');
  const server = createServer((incoming, outgoing) => {
    if (https) outgoing.setHeader('strict-transport-security', strictTransport);
    // Reused connections could close mid-request during shutdown.
    if (closing) outgoing.setHeader('connection', 'close');
    if (!processSettings.maintenance && pages.answer(incoming, outgoing)) return;
    if (pages.develop) pages.develop(incoming, outgoing, () => void answer(incoming, outgoing));
    else void answer(incoming, outgoing);
  });
  server.keepAliveTimeout = 65_000;
  // Allows large uploads over slow connections, while idle connections time out sooner.
  server.requestTimeout = 3_600_000;
  server.timeout = 120_000;
  server.on('upgrade', (request, socket, head) => {
    // Upgraded sockets have no other error listener, and an unhandled error crashes the process.
    socket.on('error', () => socket.destroy());
    // Vite's development socket has its own listener.
    if (!upgrade(request, socket, head) && !pages.develop) socket.destroy();
  });

  return {
    async listen() {
      await begin();
      return bound(server, config);
    },
    close: async () => {
      closing = true;
      await sleep(config.drainSeconds * 1_000);
      const closed = new Promise((resolve) => server.close(resolve));
      await hub.close();
      // Keep-alive connections turn idle after their last response, so close them repeatedly.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const late = setTimeout(() => server.closeAllConnections(), lastRequestsMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(late);
    },
  };
}
