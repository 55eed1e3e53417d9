import { useSyncExternalStore } from 'react';
import { deviceZone } from '#/web/times.ts';

/** A device keeps its zone while a page is open. */
const never = () => () => undefined;

/** The zone of the person's own device; null on the server, which can't know it. */
export function useDeviceZone(): string | null {
  return useSyncExternalStore(never, deviceZone, () => null);
}
