import { blurConstraint } from './background-blur.ts';
import type { MediaProblem, OwnMediaView, Part } from './own-media-view.ts';

/** For a face; browsers reduce it when slow. */
const picture = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };

/** The chosen device if present, otherwise any. */
export function constraintsOf(
  part: Part,
  { chosen, devices }: Pick<OwnMediaView, 'chosen' | 'devices'>,
  blur: boolean,
): MediaTrackConstraints {
  const id = chosen[part];
  const isPresent = devices[part].some(({ deviceId }) => deviceId === id);
  const device = id ? { deviceId: isPresent ? { exact: id } : { ideal: id } } : {};
  return part === 'camera' ? { ...picture, ...device, ...(blur ? blurConstraint(true) : {}) } : device;
}

/** Maps an error of `getUserMedia` (Media Capture and Streams, section 10.2). */
export function problemOf(error: unknown): MediaProblem {
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
