import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createServer } from 'node:http';
import type { Config } from '#/platform/config.ts';
import type { ProcessContext } from '#/platform/context.ts';
import { bound, type Server } from './listening.ts';
import { readiness } from './readiness.ts';

/** Liveness and readiness. */
export function probes(parts: { base: Pick<ProcessContext, 'db' | 'files'>; isClosing(): boolean }): Hono {
  const { db, files } = parts.base;
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const checks = { ...(await readiness(db, files)), accepting: !parts.isClosing() };
      return c.json(checks, Object.values(checks).every(Boolean) ? 200 : 503);
    });
}

/** For processes that only run jobs. */
export function createProbes({ config, base }: { config: Config; base: ProcessContext }): Server {
  let closing = false;
  const answer = getRequestListener(probes({ base, isClosing: () => closing }).fetch);
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  return {
    listen: () => bound(server, config),
    async close() {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
