/*
 * Background blur as the browser gives it (Media Capture and Streams Extensions, `backgroundBlur`), without a model of
 * ours to load: Chromium has it where the system or the camera does the work.
 */

const memory = 'italk-blur';

/** Whether a camera's background is blurred; null where it can't be turned on and off. */
export function blurOf(camera: MediaStreamTrack): boolean | null {
  const able = (camera.getCapabilities?.() ?? {}) as { backgroundBlur?: readonly boolean[] };
  if (!able.backgroundBlur || new Set(able.backgroundBlur).size < 2) return null;
  return (camera.getSettings() as { backgroundBlur?: boolean }).backgroundBlur ?? false;
}

/** What to ask of a camera for it; browsers that don't know it leave it out. */
export function blurWish(on: boolean): MediaTrackConstraints {
  return { backgroundBlur: { ideal: on } };
}

/** Whether the person asked for it on this computer. */
export function wantsBlur(): boolean {
  try {
    return localStorage.getItem(memory) === 'on';
  } catch {
    return false;
  }
}

export function rememberBlur(on: boolean): void {
  try {
    localStorage.setItem(memory, on ? 'on' : 'off');
  } catch {
    // It holds for this call then.
  }
}
