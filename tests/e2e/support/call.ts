import type { LaunchOptions, Locator, Page } from '@playwright/test';
import config from '../../../playwright.config.ts';
import type { Product } from '../../../scripts/product.ts';
import { becomeSpecialist, bookDirectly, moveInDatabase, offeredTimes, type Specialist } from './booking.ts';
import { expect, signIn, someone } from './fixtures.ts';
import { morningZone } from './zones.ts';

const minute = 60_000;

/** Generous timeout for busy machines; the intervals don't line up with the microphone's beeps. */
const often = { timeout: 60_000, intervals: [90, 170, 310, 730] };

export const clientName = 'Somebody Else';

/** Launches browsers with a moving fake video and a microphone that beeps every second. */
export const callOptions: LaunchOptions = {
  ...config.use?.launchOptions,
  args: [
    ...(config.use?.launchOptions?.args ?? []),
    // A low frame rate, so two CPUs can carry a call of three.
    '--use-fake-device-for-media-stream=fps=10',
    '--use-fake-ui-for-media-stream',
    // Loopback may be the machine's only network.
    '--allow-loopback-in-peer-connection',
  ],
};

interface Received {
  number: number;
  state: RTCPeerConnectionState;
  frames: number;
  /** Grows only while sound plays. */
  energy: number;
  audioLevel: number;
  pair: string | null;
}

/** The RTCStatsReport fields used here; TypeScript's types only include the common ones. */
interface Statistics extends RTCStats {
  kind?: string;
  framesDecoded?: number;
  totalAudioEnergy?: number;
  audioLevel?: number;
  selectedCandidatePairId?: string;
  localCandidateId?: string;
  remoteCandidateId?: string;
  candidateType?: string;
}

interface Watched {
  links: RTCPeerConnection[];
  tracks: MediaStreamTrack[];
  cutSockets(): void;
  mendSockets(): void;
}

declare global {
  interface Window {
    watched: Watched;
  }
}

/**
 * Exposes the connections, tracks and sockets of pages opened later in this browser. `relayOnly` rules out direct
 * connections.
 */
export async function watchCalls(page: Page, { relayOnly = false } = {}): Promise<void> {
  await page.context().addInitScript((relay) => {
    const links: RTCPeerConnection[] = [];
    const tracks: MediaStreamTrack[] = [];
    const sockets = new Set<WebSocket>();
    let cut = false;
    const forced: RTCConfiguration = relay ? { iceTransportPolicy: 'relay' } : {};

    class WatchedLink extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, ...forced });
        links.push(this);
      }
      override setConfiguration(configuration?: RTCConfiguration) {
        super.setConfiguration({ ...configuration, ...forced });
      }
    }

    class WatchedSocket extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        sockets.add(this);
        this.addEventListener('close', () => sockets.delete(this));
      }
    }

    /** Mimics a socket on a dead network. */
    class LostSocket extends EventTarget {
      readyState: number = WebSocket.CONNECTING;
      constructor() {
        super();
        setTimeout(() => {
          this.readyState = WebSocket.CLOSED;
          this.dispatchEvent(new CloseEvent('close', { code: 1006 }));
        });
      }
      close() {}
    }

    for (const name of ['getUserMedia', 'getDisplayMedia'] as const) {
      const native = MediaDevices.prototype[name];
      MediaDevices.prototype[name] = async function (constraints) {
        const stream = await native.call(this, constraints);
        tracks.push(...stream.getTracks());
        return stream;
      };
    }
    window.RTCPeerConnection = WatchedLink;
    window.WebSocket = new Proxy(WatchedSocket, {
      construct: (target, [url, protocols]: [string, string?]) =>
        cut ? new LostSocket() : new target(url, protocols),
    });
    window.watched = {
      links,
      tracks,
      cutSockets() {
        cut = true;
        for (const socket of sockets) socket.close();
      },
      mendSockets() {
        cut = false;
      },
    };
  }, relayOnly);
}

export async function sessionNow(
  page: Page,
  product: Product,
  specialist: Specialist,
  startsInMinutes = -5,
): Promise<string> {
  const [start] = await offeredTimes(page, product, specialist);
  const id = await bookDirectly(page, specialist, start!);
  await product.query(`update appointments set session_type = 'online' where id = $1`, [id]);
  // Calendar times have no fractional seconds.
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  await moveInDatabase(product, id, new Date(now + startsInMinutes * minute));
  return id;
}

/** Signs in a client and a specialist who have a session now. */
export async function twoPeople(
  page: Page,
  open: () => Promise<Page>,
  product: Product,
): Promise<{ ada: Specialist; theirs: Page; id: string }> {
  const theirs = await open();
  // A provider's home shows only today's sessions, so it can't be near midnight.
  const ada = await becomeSpecialist(theirs, product, { timeZone: morningZone() });
  await signIn(page, someone('caller'));
  await watchCalls(page);
  await watchCalls(theirs);
  return { ada, theirs, id: await sessionNow(page, product, ada) };
}

export async function goIn(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Check your camera and sound' })).toBeVisible(often);
  await expect(page.getByRole('meter', { name: 'Microphone level' })).toBeVisible(often);
  await page.getByRole('button', { name: 'Join session' }).click();
}

export async function meet(client: Page, specialist: Page, appointmentId: string): Promise<void> {
  await client.goto(`/session/${appointmentId}`);
  await goIn(client);
  await specialist.goto(`/session/${appointmentId}`);
  await goIn(specialist);
  await letIn(specialist, clientName);
}

export async function letIn(specialist: Page, name: string): Promise<void> {
  await specialist.getByRole('button', { name: `Admit ${name}` }).click(often);
}

export function control(page: Page, name: string | RegExp): Locator {
  return page.getByRole('group', { name: 'Call controls' }).getByRole('button', { name });
}

export function picture(page: Page, name: string): Locator {
  return page.getByRole('figure', { name, exact: true });
}

export async function received(page: Page): Promise<Received[]> {
  return page.evaluate(async () => {
    const links = [...window.watched.links.entries()].filter(([, link]) => link.connectionState !== 'closed');
    return Promise.all(
      links.map(async ([number, link]) => {
        const stats = [...((await link.getStats()) as unknown as Map<string, Statistics>).values()];
        const sum = (kind: string, of: (one: Statistics) => number | undefined) =>
          stats
            .filter((one) => one.type === 'inbound-rtp' && one.kind === kind)
            .reduce((all, one) => all + (of(one) ?? 0), 0);
        const byId = (id?: string) => stats.find((one) => one.id === id);
        const pair = byId(stats.find(({ type }) => type === 'transport')?.selectedCandidatePairId);
        const typeOf = (id?: string) => byId(id)?.candidateType ?? 'unknown';
        return {
          number,
          state: link.connectionState,
          frames: sum('video', (one) => one.framesDecoded),
          energy: sum('audio', (one) => one.totalAudioEnergy),
          audioLevel: sum('audio', (one) => one.audioLevel),
          pair: pair ? `${typeOf(pair.localCandidateId)}/${typeOf(pair.remoteCandidateId)}` : null,
        };
      }),
    );
  });
}

/** Waits for new video frames and sound from `others` people, and for moving pictures on screen. */
export async function expectToSeeAndHear(page: Page, others = 1): Promise<void> {
  await expectToHear(page, others);
  await expectToSee(page, others);
}

/** Waits for silence longer than the gap between two beeps. */
export async function expectSilence(page: Page): Promise<void> {
  const energy = async () => (await received(page)).reduce((all, one) => all + one.energy, 0);
  const added = async () => {
    const before = await energy();
    await page.waitForTimeout(2_500);
    return (await energy()) - before;
  };
  await expect.poll(added, { ...often, message: 'sound that is played' }).toBeLessThan(0.001);
}

export async function expectToHear(page: Page, others = 1): Promise<void> {
  const before = await connectedPeers(page, others);
  const audible = async () =>
    (await received(page)).filter(
      ({ number, energy, audioLevel }) => energy > (before.get(number)?.energy ?? 0) && audioLevel > 0,
    ).length;
  await expect.poll(audible, { ...often, message: 'whose sound is played' }).toBe(others);
}

/** Waits for new frames from `others` people and for `pictures` moving videos: one each, plus any shared screen. */
export async function expectToSee(page: Page, others = 1, pictures = others): Promise<void> {
  const before = await connectedPeers(page, others);
  const seen = async () =>
    (await received(page)).filter(({ number, frames }) => frames > (before.get(number)?.frames ?? 0) + 5)
      .length;
  await expect.poll(seen, { ...often, message: 'whose pictures are decoded' }).toBe(others);
  let last = await grab(page);
  const moving = async () => {
    const [previous, now] = [last, await grab(page)];
    last = now;
    return Object.entries(now).filter(([track, pixels]) => previous[track] && previous[track] !== pixels)
      .length;
  };
  await expect.poll(moving, { ...often, message: 'pictures that move' }).toBe(pictures);
}

/** Waits for `others` connected peers and returns their media stats. */
async function connectedPeers(page: Page, others: number): Promise<Map<number, Received>> {
  let found: Received[] = [];
  const count = async () => {
    found = (await received(page)).filter(({ state }) => state === 'connected');
    return found.length;
  };
  await expect.poll(count, { ...often, message: 'connected peers' }).toBe(others);
  return new Map(found.map((one) => [one.number, one]));
}

async function grab(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const remote = new Set(
      window.watched.links.flatMap((link) => link.getReceivers().map(({ track }) => track.id)),
    );
    const canvas = document.createElement('canvas');
    canvas.width = 64;
    canvas.height = 48;
    const brush = canvas.getContext('2d', { willReadFrequently: true })!;
    const pictures: Record<string, string> = {};
    for (const video of document.querySelectorAll('video')) {
      const [track] = (video.srcObject as MediaStream | null)?.getVideoTracks() ?? [];
      const isShown = video.checkVisibility({ visibilityProperty: true }) && video.videoWidth > 0;
      if (!track || !remote.has(track.id) || !isShown) continue;
      brush.drawImage(video, 0, 0, canvas.width, canvas.height);
      pictures[track.id] = brush.getImageData(0, 0, canvas.width, canvas.height).data.join();
    }
    return pictures;
  });
}

/** Takes the page offline for `seconds`, at least until `meanwhile` finishes: sockets close and requests fail. */
export async function loseNetwork(
  page: Page,
  seconds: number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  await page.context().setOffline(true);
  await page.evaluate(() => window.watched.cutSockets());
  await Promise.all([page.waitForTimeout(seconds * 1_000), meanwhile()]);
  await page.evaluate(() => window.watched.mendSockets());
  await page.context().setOffline(false);
}

export async function liveTracks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    window.watched.tracks.filter((track) => track.readyState === 'live').map(({ kind }) => kind),
  );
}
