import { blurOf, blurWish, rememberBlur, wantsBlur } from './background-blur.ts';
import {
  chosenBefore,
  listDevices,
  noDevices,
  rememberChosen,
  type Chosen,
  type DeviceKind,
  type Devices,
} from './devices.ts';

/** Why a camera or microphone gives nothing. */
export type MediaProblem = 'denied' | 'missing' | 'busy' | 'unsupported' | 'failed';

/** Of the two that can be turned on and off. */
export type Part = 'microphone' | 'camera';

/** What this page takes up of its person; a new one whenever something has changed. */
export interface OwnMediaView {
  /** The browser asks the person, or looks for the devices. */
  asking: boolean;
  /** The two as they are wanted, and the tracks that there are. A microphone that is off keeps its track, silent. */
  on: Readonly<Record<Part, boolean>>;
  microphone: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
  problems: Readonly<Record<Part, MediaProblem | null>>;
  /** Whether the background of the camera's picture is blurred; null where this browser or camera can't do it. */
  blurred: boolean | null;
  devices: Devices;
  chosen: Chosen;
}

/** The person's own microphone, camera and screen. */
export interface OwnMedia {
  subscribe(listener: () => void): () => void;
  view(): OwnMediaView;
  /** Asks for camera and microphone. */
  start(): Promise<void>;
  turn(part: Part, on: boolean): Promise<void>;
  choose(kind: DeviceKind, id: string): Promise<void>;
  /** Blurs the background of the camera's picture, or no longer. */
  blur(on: boolean): Promise<void>;
  /** Lets the person choose a screen to show; false where they'd rather not. */
  share(): Promise<boolean>;
  unshare(): void;
  /** Ends every track, so that no light stays on. */
  stop(): void;
}

/** Room for a face; the browser takes less where the line carries less. */
const picture = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

/** Holds what the page takes up of its person, from the first question until the last track ends. */
export function createOwnMedia(): OwnMedia {
  const listeners = new Set<() => void>();
  let stopped = false;
  let view: OwnMediaView = {
    asking: false,
    on: { microphone: true, camera: true },
    microphone: null,
    camera: null,
    screen: null,
    problems: { microphone: null, camera: null },
    blurred: null,
    devices: noDevices,
    chosen: chosenBefore(),
  };

  const draw = (change: Partial<OwnMediaView>) => {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  };
  const note = (part: Part, problem: MediaProblem | null) =>
    draw({ problems: { ...view.problems, [part]: problem } });

  const noteBlur = () => draw({ blurred: view.camera && blurOf(view.camera) });

  const look = async () => {
    try {
      draw({ devices: await listDevices() });
    } catch {
      // The choice stays empty.
    }
  };

  /** Takes a track in the place of the one before. */
  const take = (part: Part, track: MediaStreamTrack) => {
    if (stopped) {
      track.stop();
      return;
    }
    view[part]?.stop();
    track.enabled = part === 'camera' || view.on.microphone;
    // Pulled out, or taken by the system.
    track.addEventListener('ended', () => {
      if (view[part] !== track) return;
      draw({ [part]: null });
      note(part, 'missing');
    });
    draw({ [part]: track });
    note(part, null);
    if (part === 'camera') {
      noteBlur();
      // The system has a switch of its own for it.
      track.addEventListener('configurationchange', noteBlur);
    }
  };

  /** What to ask for: the chosen device if it is there, else whichever there is. */
  const wish = (part: Part): MediaTrackConstraints => {
    const id = view.chosen[part];
    const isThere = view.devices[part].some(({ deviceId }) => deviceId === id);
    const device = id ? { deviceId: isThere ? { exact: id } : { ideal: id } } : {};
    return part === 'camera' ? { ...picture, ...device, ...(wantsBlur() ? blurWish(true) : {}) } : device;
  };

  const ask = async (parts: readonly Part[]): Promise<MediaProblem | null> => {
    if (!('mediaDevices' in navigator)) return 'unsupported';
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: parts.includes('microphone') ? wish('microphone') : false,
        video: parts.includes('camera') ? wish('camera') : false,
      });
      for (const track of stream.getTracks()) take(track.kind === 'audio' ? 'microphone' : 'camera', track);
      return null;
    } catch (error) {
      return problemOf(error);
    }
  };

  /** Both at once, so that the person is asked once; where that fails, each by itself. */
  const askBoth = async () => {
    const problem = await ask(['microphone', 'camera']);
    if (problem === null) return;
    for (const part of ['microphone', 'camera'] as const) {
      if (problem === 'unsupported' || (problem === 'denied' && !(await isAllowed(part))))
        note(part, problem);
      else note(part, await ask([part]));
    }
  };

  const whenDevicesChange = () => {
    void look();
    // What was missing may be there now.
    for (const part of ['microphone', 'camera'] as const)
      if (view.problems[part] === 'missing' && view.on[part]) void ask([part]);
  };
  const watch = (on: boolean) => {
    if (!('mediaDevices' in navigator)) return;
    if (on) navigator.mediaDevices.addEventListener('devicechange', whenDevicesChange);
    else navigator.mediaDevices.removeEventListener('devicechange', whenDevicesChange);
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    view: () => view,
    async start() {
      stopped = false;
      draw({ asking: true });
      watch(true);
      await look();
      await askBoth();
      draw({
        asking: false,
        on: { microphone: view.microphone !== null, camera: view.camera !== null },
      });
      await look();
    },
    async turn(part, on) {
      draw({ on: { ...view.on, [part]: on } });
      if (part === 'microphone' && view.microphone) {
        view.microphone.enabled = on;
        return;
      }
      if (!on) {
        view[part]?.stop();
        draw({ [part]: null });
        return;
      }
      const problem = await ask([part]);
      note(part, problem);
      if (problem) draw({ on: { ...view.on, [part]: false } });
      else if (!view.on[part]) await this.turn(part, false);
      await look();
    },
    async choose(kind, id) {
      const chosen = { ...view.chosen, [kind]: id };
      draw({ chosen });
      rememberChosen(chosen);
      if (kind === 'speaker' || !view[kind]) return;
      const problem = await ask([kind]);
      note(kind, problem);
    },
    async blur(on) {
      rememberBlur(on);
      if (!view.camera) return;
      // What isn't asked for again would be given up.
      await view.camera.applyConstraints({ ...view.camera.getConstraints(), ...blurWish(on) });
      noteBlur();
    },
    async share() {
      try {
        const stream = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: false });
        const track = stream.getVideoTracks()[0];
        if (!track) return false;
        if (stopped) {
          track.stop();
          return false;
        }
        track.contentHint = 'detail';
        // The browser has a button of its own to stop it.
        track.addEventListener('ended', () => {
          if (view.screen === track) draw({ screen: null });
        });
        view.screen?.stop();
        draw({ screen: track });
        return true;
      } catch {
        return false;
      }
    },
    unshare() {
      view.screen?.stop();
      draw({ screen: null });
    },
    stop() {
      stopped = true;
      watch(false);
      const { microphone, camera, screen } = view;
      for (const track of [microphone, camera, screen]) track?.stop();
      draw({ microphone: null, camera: null, screen: null });
    },
  };
}

/** Whether a screen can be shown in this browser; on phones none can. */
export function canShare(): boolean {
  return 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices;
}

/** The names of `getUserMedia`'s failures (Media Capture and Streams, section 10.2). */
function problemOf(error: unknown): MediaProblem {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'missing';
    case 'NotReadableError':
    case 'AbortError':
      return 'busy';
    default:
      return 'failed';
  }
}

/** Whether the person has allowed one of the two, as far as the browser says; it isn't asked for then. */
async function isAllowed(part: Part): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: part });
    return state === 'granted';
  } catch {
    return false;
  }
}
