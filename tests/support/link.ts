import { createConnection, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** A proxy to the database server that tests can cut or freeze. */
export interface Link {
  url: string;
  /** Closes every connection and refuses new ones until `mend`. */
  cut(): void;
  /** Accepts data without answering until `mend`, like a hung server. */
  freeze(): void;
  mend(): void;
  close(): void;
}

export async function linkTo(databaseUrl: string): Promise<Link> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  let state: 'whole' | 'cut' | 'frozen' = 'whole';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (state === 'cut') return near.destroy();
    const far = folder?.startsWith('/')
      ? createConnection(`${folder}/.s.PGSQL.${port}`)
      : createConnection(port, url.hostname);
    far.on('error', () => near.destroy());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => void (state === 'frozen' || to.write(chunk)));
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    return near;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  const linked = new URL(databaseUrl);
  linked.searchParams.delete('host');
  linked.host = `127.0.0.1:${address.port}`;
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: linked.toString(),
    cut() {
      state = 'cut';
      end();
    },
    freeze() {
      state = 'frozen';
    },
    mend() {
      // Frozen connections lost data and can't be reused.
      if (state === 'frozen') end();
      state = 'whole';
    },
    close() {
      end();
      server.close();
    },
  };
}
