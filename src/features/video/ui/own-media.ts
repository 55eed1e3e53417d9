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

export type MediaProblem = 'denied' | 'missing' | 'busy' | 'unsupported' | 'failed';

export type Part = 'microphone' | 'camera';

/** Immutable snapshot, replaced on every change. */
export interface OwnMediaView {
  /** Waiting for a permission prompt or device detection. */
  asking: boolean;
  /** Wanted state, then actual tracks. A muted microphone keeps its track, disabled. */
  on: Readonly<Record<Part, boolean>>;
  microphone: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
  problems: Readonly<Record<Part, MediaProblem | null>>;
  /** Null if the browser or camera can't blur. */
  blurred: boolean | null;
  devices: Devices;
  chosen: Chosen;
}

export interface OwnMedia {
  subscribe(listener: () => void): () => void;
  view(): OwnMediaView;
  start(): Promise<void>;
  turn(part: Part, on: boolean): Promise<void>;
  choose(kind: DeviceKind, id: string): Promise<void>;
  blur(on: boolean): Promise<void>;
  /** Returns false if the person cancels. */
  share(): Promise<boolean>;
  unshare(): void;
  /** Stops all tracks and the camera light. */
  stop(): void;
}

/** Enough for a face; browsers reduce it on slow connections. */
const picture = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

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
      // The device list stays empty.
    }
  };

  const take = (part: Part, track: MediaStreamTrack) => {
    if (stopped) {
      track.stop();
      return;
    }
    view[part]?.stop();
    track.enabled = part === 'camera' || view.on.microphone;
    // Unplugged, or taken by the system.
    track.addEventListener('ended', () => {
      if (view[part] !== track) return;
      draw({ [part]: null });
      note(part, 'missing');
    });
    draw({ [part]: track });
    note(part, null);
    if (part === 'camera') {
      noteBlur();
      // The system can toggle blur too.
      track.addEventListener('configurationchange', noteBlur);
    }
  };

  /** Builds constraints: exactly the chosen device if present, otherwise any. */
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

  /** Shows one prompt for both devices; on failure, asks for each separately. */
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
    // A missing device may be connected now.
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
      // `applyConstraints` drops any constraint that isn't repeated.
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
        // Browsers show their own stop button.
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

/** Phone browsers can't share screens. */
export function canShare(): boolean {
  return 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices;
}

/** Media Capture and Streams, section 10.2. */
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

/** Reads the granted permission without prompting. */
async function isAllowed(part: Part): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: part });
    return state === 'granted';
  } catch {
    return false;
  }
}
