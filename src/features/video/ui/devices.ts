export type DeviceKind = 'microphone' | 'camera' | 'speaker';

export type Chosen = Readonly<Record<DeviceKind, string | null>>;

export type Devices = Readonly<Record<DeviceKind, readonly MediaDeviceInfo[]>>;

export const noDevices: Devices = { microphone: [], camera: [], speaker: [] };

const kindOf = { audioinput: 'microphone', videoinput: 'camera', audiooutput: 'speaker' } as const;
const memory = 'italk-devices';

/** Labels stay empty until access is granted. */
export async function listDevices(): Promise<Devices> {
  const found = await navigator.mediaDevices.enumerateDevices();
  const devices = { microphone: [], camera: [], speaker: [] } as Record<DeviceKind, MediaDeviceInfo[]>;
  for (const device of found) if (device.deviceId) devices[kindOf[device.kind]].push(device);
  return devices;
}

/** Stores device ids only. */
export function savedDevices(): Chosen {
  const chosen: Record<DeviceKind, string | null> = { microphone: null, camera: null, speaker: null };
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(memory) ?? '{}');
    if (typeof stored === 'object' && stored !== null) {
      for (const kind of ['microphone', 'camera', 'speaker'] as const) {
        const id = (stored as Record<string, unknown>)[kind];
        if (typeof id === 'string') chosen[kind] = id;
      }
    }
  } catch {
    // Without storage, choices aren't remembered.
  }
  return chosen;
}

export function rememberChosen(chosen: Chosen): void {
  try {
    localStorage.setItem(memory, JSON.stringify(chosen));
  } catch {
    // Without storage, choices aren't remembered.
  }
}

export function canChooseSpeaker(): boolean {
  return 'setSinkId' in HTMLMediaElement.prototype;
}
