import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { freePort } from '../../../scripts/product.ts';

export interface Relay {
  env: { TURN_URLS: string; TURN_SECRET: string; STUN_URLS: string };
  /** Stops all traffic, like a dead network. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

/** Starts coturn on a free loopback port with shared-secret authentication, like production. */
export async function startRelay(): Promise<Relay> {
  const folder = await mkdtemp(join(tmpdir(), 'italk-relay-'));
  const port = await freePort();
  const secret = 'a secret of the tests alone';
  const child = spawn(
    program(),
    [
      '-n',
      `--listening-port=${port}`,
      '--listening-ip=127.0.0.1',
      '--relay-ip=127.0.0.1',
      '--allow-loopback-peers',
      // Outside the operating system's ephemeral port range.
      '--min-port=61000',
      '--max-port=65535',
      '--use-auth-secret',
      `--static-auth-secret=${secret}`,
      '--realm=italk.example',
      '--no-cli',
      '--no-tls',
      '--no-dtls',
      `--userdb=${join(folder, 'turndb')}`,
      `--pidfile=${join(folder, 'pid')}`,
      '--log-file=stdout',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const until = performance.now() + 30_000;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      kill();
      throw new Error(`coturn wasn't ready:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    env: { TURN_URLS: `turn:127.0.0.1:${port}?transport=udp`, TURN_SECRET: secret, STUN_URLS: '' },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async stop() {
      kill();
      await ended;
      process.off('exit', kill);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Signs TURN credentials that expire at `until`; a wrong `secret` forges them. */
export function serverWith(relay: Relay, until: Date, secret = relay.env.TURN_SECRET): IceServer {
  const username = `${Math.floor(until.getTime() / 1_000)}:somebody`;
  const credential = createHmac('sha1', secret).update(username).digest('base64');
  return { urls: [relay.env.TURN_URLS], username, credential };
}

/** Gathers ICE candidates from a server: relayed addresses, or the error codes of refusals. */
export async function gather(
  page: Page,
  server: IceServer,
): Promise<{ candidates: string[]; errors: number[] }> {
  return page.evaluate(async (iceServer) => {
    const link = new RTCPeerConnection({ iceServers: [iceServer], iceTransportPolicy: 'relay' });
    const candidates: string[] = [];
    const errors = new Set<number>();
    const done = new Promise<void>((resolve) => {
      link.addEventListener('icegatheringstatechange', () => {
        if (link.iceGatheringState === 'complete') resolve();
      });
    });
    link.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate?.candidate) candidates.push(candidate.type ?? 'unknown');
    });
    link.addEventListener('icecandidateerror', ({ errorCode }) => errors.add(errorCode));
    link.createDataChannel('anything');
    await link.setLocalDescription();
    await done;
    link.close();
    return { candidates, errors: [...errors] };
  }, server);
}

function program(): string {
  const paths = [process.env.TURNSERVER_PATH, '/usr/bin/turnserver', '/usr/local/bin/turnserver'];
  const found = paths.find((path) => path && existsSync(path));
  if (found) return found;
  throw new Error(
    'coturn isn’t on this machine: `npm test` fetches it where it may; elsewhere run `apt-get install coturn` as root, or name its turnserver in TURNSERVER_PATH.',
  );
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
