import { blurConstraint, rememberBlur, blurOf, wantsBlur } from './background-blur.ts';
import { savedDevices, listDevices, noDevices, rememberChosen, type DeviceKind } from './devices.ts';
import {
  createOwnMediaStore,
  type OwnMediaView,
  type Part,
  type MediaProblem,
  type OwnMediaStore,
} from './own-media-view.ts';
import { shareScreen, stopSharingScreen } from './screen-sharing.ts';
import { constraintsOf, problemOf } from './media-rules.ts';

export interface OwnMedia {
  subscribe(listener: () => void): () => void;
  view(): OwnMediaView;
  start(): Promise<void>;
  turn(part: Part, on: boolean): Promise<void>;
  choose(kind: DeviceKind, id: string): Promise<void>;
  blur(on: boolean): Promise<void>;
  /** Returns false if the person cancels. */
  shareScreen(): Promise<boolean>;
  stopSharingScreen(): void;
  /** Stops all tracks and the camera light. */
  stop(): void;
}

/** This page's microphone, camera and shared screen. */
export function createOwnMedia(): OwnMedia {
  const store = createOwnMediaStore({
    asking: false,
    on: { microphone: true, camera: true },
    microphone: null,
    camera: null,
    screen: null,
    problems: { microphone: null, camera: null },
    blurred: null,
    devices: noDevices,
    chosen: savedDevices(),
  });
  const { view, update, setProblem } = store;
  const userMedia = createUserMedia(store);

  const updateDevices = async () => {
    try {
      update({ devices: await listDevices() });
    } catch {
      // The device list stays empty.
    }
  };
  const onDeviceChange = () => {
    void updateDevices();
    // A missing device may be connected now.
    for (const part of ['microphone', 'camera'] as const)
      if (view().problems[part] === 'missing' && view().on[part]) void userMedia.request([part]);
  };
  const watchDevices = (on: boolean) => {
    if (!('mediaDevices' in navigator)) return;
    if (on) navigator.mediaDevices.addEventListener('devicechange', onDeviceChange);
    else navigator.mediaDevices.removeEventListener('devicechange', onDeviceChange);
  };

  const turn = async (part: Part, on: boolean) => {
    update({ on: { ...view().on, [part]: on } });
    const { microphone } = view();
    if (part === 'microphone' && microphone) {
      microphone.enabled = on;
      return;
    }
    if (!on) {
      view()[part]?.stop();
      update({ [part]: null });
      setProblem(part, null);
      return;
    }
    const problem = await userMedia.request([part]);
    setProblem(part, problem);
    if (problem) update({ on: { ...view().on, [part]: false } });
    else if (!view().on[part]) await turn(part, false);
    await updateDevices();
  };

  return {
    subscribe: store.subscribe,
    view,
    async start() {
      store.setStopped(false);
      // An earlier call may have turned one off.
      update({ asking: true, on: { microphone: true, camera: true } });
      watchDevices(true);
      await updateDevices();
      await userMedia.requestBoth();
      const { microphone, camera } = view();
      update({ asking: false, on: { microphone: microphone !== null, camera: camera !== null } });
      await updateDevices();
    },
    turn,
    async choose(kind, id) {
      const chosen = { ...view().chosen, [kind]: id };
      update({ chosen });
      rememberChosen(chosen);
      if (kind === 'speaker' || (!view()[kind] && !view().on[kind])) return;
      setProblem(kind, await userMedia.request([kind]));
    },
    async blur(on) {
      rememberBlur(on);
      const { camera } = view();
      if (!camera) return;
      // `applyConstraints` drops any constraint that isn't repeated.
      await camera.applyConstraints({ ...camera.getConstraints(), ...blurConstraint(on) });
      userMedia.updateBlur();
    },
    shareScreen: () => shareScreen(store),
    stopSharingScreen: () => stopSharingScreen(store),
    stop() {
      store.setStopped(true);
      watchDevices(false);
      const { microphone, camera, screen } = view();
      for (const track of [microphone, camera, screen]) track?.stop();
      update({ microphone: null, camera: null, screen: null });
    },
  };
}

function createUserMedia(store: OwnMediaStore) {
  const updateBlur = () => {
    const { camera } = store.view();
    store.update({ blurred: camera && blurOf(camera) });
  };

  const replaceTrack = (part: Part, track: MediaStreamTrack) => {
    // It can be turned off while starting.
    if (store.isStopped() || (part === 'camera' && !store.view().on.camera)) {
      track.stop();
      return;
    }
    store.view()[part]?.stop();
    track.enabled = part === 'camera' || store.view().on.microphone;
    // Unplugged, or taken by the system.
    track.addEventListener('ended', () => {
      if (store.view()[part] !== track) return;
      store.update({ [part]: null });
      store.setProblem(part, 'missing');
    });
    store.update({ [part]: track });
    store.setProblem(part, null);
    if (part === 'camera') {
      updateBlur();
      // The system can toggle blur too.
      track.addEventListener('configurationchange', updateBlur);
    }
  };

  const request = async (parts: readonly Part[]): Promise<MediaProblem | null> => {
    if (!('mediaDevices' in navigator)) return 'unsupported';
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        audio: parts.includes('microphone') && constraintsOf('microphone', store.view(), wantsBlur()),
        video: parts.includes('camera') && constraintsOf('camera', store.view(), wantsBlur()),
      });
      for (const track of stream.getTracks())
        replaceTrack(track.kind === 'audio' ? 'microphone' : 'camera', track);
      return null;
    } catch (error) {
      return problemOf(error);
    }
  };

  return {
    request,
    updateBlur,
    /** Shows one prompt for both devices; on failure, asks for each separately. */
    async requestBoth() {
      const problem = await request(['microphone', 'camera']);
      if (problem === null) return;
      for (const part of ['microphone', 'camera'] as const) {
        if (problem === 'unsupported' || (problem === 'denied' && !(await isAllowed(part))))
          store.setProblem(part, problem);
        else store.setProblem(part, await request([part]));
      }
    },
  };
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
