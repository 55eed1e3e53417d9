import { blurOf, wantsBlur } from './background-blur.ts';
import { constraintsOf, problemOf } from './media-rules.ts';
import type { MediaProblem, OwnMediaStore, Part } from './own-media-view.ts';

/** Microphone and camera (`getUserMedia`). */
export function createUserMedia(store: OwnMediaStore) {
  const updateBlur = () => {
    const { camera } = store.view();
    store.update({ blurred: camera && blurOf(camera) });
  };

  const replaceTrack = (part: Part, track: MediaStreamTrack) => {
    if (store.isStopped()) {
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
