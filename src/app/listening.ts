import type { Server as HttpServer } from 'node:http';
import type { Config } from '#/platform/config.ts';

export interface Server {
  /** Returns the bound port. */
  listen(): Promise<number>;
  /**
   * Reports not ready, keeps serving while load balancers drain, then stops accepting and finishes in-flight requests.
   */
  close(): Promise<void>;
}

/** Listens, and returns the bound port. */
export function bound(server: HttpServer, { port, host }: Pick<Config, 'port' | 'host'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
