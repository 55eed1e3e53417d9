import type { LaunchOptions, Locator, Page } from '@playwright/test';
import config from '../../../playwright.config.ts';
import type { Product } from '../../../scripts/product.ts';
import { bookDirectly, moveInDatabase, offeredTimes, type Specialist } from './booking.ts';
import { expect } from './fixtures.ts';

const minute = 60_000;

/**
 * How long a call may take to stand or to come back on a machine that has other things to do; asked at other intervals
 * than that of the microphone's beeps.
 */
const often = { timeout: 60_000, intervals: [90, 170, 310, 730] };

/** The client's name in every session of these tests, as `bookDirectly` gives it. */
export const clientName = 'Somebody Else';

/** The browsers of calls: with a camera that plays a moving picture and a microphone that beeps each second. */
export const callOptions: LaunchOptions = {
  ...config.use?.launchOptions,
  args: [
    ...(config.use?.launchOptions?.args ?? []),
    // So few pictures a second that two processors carry a call of three.
    '--use-fake-device-for-media-stream=fps=10',
    '--use-fake-ui-for-media-stream',
    // A machine may have no other network.
    '--allow-loopback-in-peer-connection',
  ],
};

/** What a page has received over one of its connections, as its browser decoded it. */
interface Received {
  /** Which of the page's connections, in the order in which they were made. */
  number: number;
  state: RTCPeerConnectionState;
  frames: number;
  /** Grows only while there is sound that is played. */
  energy: number;
  audioLevel: number;
  /** Of the candidates that were chosen, the own one's type and the other's. */
  pair: string | null;
}

/** Of what RTCStatsReport holds, what is read here; TypeScript knows of no more than what all have in common. */
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

/** What the script in the page leaves for its test. */
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
 * Lets a test reach the connections, the tracks and the sockets of every page that this browser opens from now on;
 * with `relayOnly` no connection may go any direct path.
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

    /** As a socket on a line that is gone. */
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

/** An online session between a client, whose page this is, and a specialist; it starts in so many minutes. */
export async function sessionNow(
  page: Page,
  product: Product,
  specialist: Specialist,
  startsInMinutes = -5,
): Promise<string> {
  const [start] = await offeredTimes(page, product, specialist);
  const id = await bookDirectly(page, specialist, start!);
  await product.query(`update appointments set session_type = 'online' where id = $1`, [id]);
  // A calendar knows no parts of a second.
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  await moveInDatabase(product, id, new Date(now + startsInMinutes * minute));
  return id;
}

/** Goes through the device check of a session's page that is open already. */
export async function goIn(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Check your camera and sound' })).toBeVisible(often);
  await expect(page.getByRole('meter', { name: 'Microphone level' })).toBeVisible(often);
  await page.getByRole('button', { name: 'Join session' }).click();
}

/** Takes both into their call: the client waits, and the specialist lets them in. */
export async function meet(client: Page, specialist: Page, appointmentId: string): Promise<void> {
  await client.goto(`/session/${appointmentId}`);
  await goIn(client);
  await specialist.goto(`/session/${appointmentId}`);
  await goIn(specialist);
  await letIn(specialist, clientName);
}

/** Opens the door for somebody who waits. */
export async function letIn(specialist: Page, name: string): Promise<void> {
  await specialist.getByRole('button', { name: `Let in ${name}` }).click(often);
}

/** A button of the bar below a call. */
export function control(page: Page, name: string | RegExp): Locator {
  return page.getByRole('group', { name: 'Call controls' }).getByRole('button', { name });
}

/** Somebody's picture in the call, by what stands below it. */
export function picture(page: Page, name: string): Locator {
  return page.getByRole('figure', { name, exact: true });
}

/** What arrived over each connection that isn't closed. */
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

/**
 * Waits until from each of so many others more pictures are decoded and more sound is played than at this moment, and
 * their pictures on the page move.
 */
export async function expectToSeeAndHear(page: Page, others = 1): Promise<void> {
  await expectToHear(page, others);
  await expectToSee(page, others);
}

/** Waits until nothing of another is heard for longer than the time between two beeps. */
export async function expectSilence(page: Page): Promise<void> {
  const energy = async () => (await received(page)).reduce((all, one) => all + one.energy, 0);
  const added = async () => {
    const before = await energy();
    await page.waitForTimeout(2_500);
    return (await energy()) - before;
  };
  await expect.poll(added, { ...often, message: 'sound that is played' }).toBeLessThan(0.001);
}

/** Waits until more sound of each of so many others is played than at this moment. */
export async function expectToHear(page: Page, others = 1): Promise<void> {
  const before = await standing(page, others);
  const heard = async () =>
    (await received(page)).filter(
      ({ number, energy, audioLevel }) => energy > (before.get(number)?.energy ?? 0) && audioLevel > 0,
    ).length;
  await expect.poll(heard, { ...often, message: 'whose sound is played' }).toBe(others);
}

/**
 * Waits until more pictures of each of so many others are decoded than at this moment, and as many pictures move that
 * are shown: one of each, unless somebody shows a screen.
 */
export async function expectToSee(page: Page, others = 1, pictures = others): Promise<void> {
  const before = await standing(page, others);
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

/** What has been received, as soon as so many connections stand. */
async function standing(page: Page, others: number): Promise<Map<number, Received>> {
  let found: Received[] = [];
  const count = async () => {
    found = (await received(page)).filter(({ state }) => state === 'connected');
    return found.length;
  };
  await expect.poll(count, { ...often, message: 'connections that stand' }).toBe(others);
  return new Map(found.map((one) => [one.number, one]));
}

/** How the others' pictures look now that are shown somewhere on the page, by their track. */
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

/**
 * For so many seconds, and until something is done meanwhile, this page has no network: its socket is shut, none opens,
 * and nothing can be fetched.
 */
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

/** The camera's, the microphone's and the screen's tracks that this page has asked for and that still run. */
export async function liveTracks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    window.watched.tracks.filter((track) => track.readyState === 'live').map(({ kind }) => kind),
  );
}
