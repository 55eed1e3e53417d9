/*
 * Uses the browser's own blur (Media Capture and Streams Extensions, `backgroundBlur`) instead of shipping a model.
 * Chromium supports it if the system or camera does.
 */

const memory = 'italk-blur';

/** Null if blur can't be switched. */
export function blurOf(camera: MediaStreamTrack): boolean | null {
  const able = (camera.getCapabilities?.() ?? {}) as { backgroundBlur?: readonly boolean[] };
  if (!able.backgroundBlur || new Set(able.backgroundBlur).size < 2) return null;
  return (camera.getSettings() as { backgroundBlur?: boolean }).backgroundBlur ?? false;
}

/** Ignored by browsers without support. */
export function blurConstraint(on: boolean): MediaTrackConstraints {
  return { backgroundBlur: { ideal: on } };
}

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
    // Without storage, the choice lasts for this call.
  }
}
