import { use, useState, useSyncExternalStore } from 'react';
import { m } from '#/texts/messages.js';
import { AccountZoneContext } from './account-zone.ts';
import { deviceZone } from '#/kernel/date-text.ts';
import { clocksDiffer, zoneText } from './times.ts';

const never = () => () => undefined;

export function useDeviceZone(): string | null {
  return useSyncExternalStore(never, deviceZone, () => null);
}

/**
 * Returns the time zone for displayed times: the account's (for specialists, their practice's) or a guest's device's.
 * Null on the server if only the device knows.
 */
export function useDisplayZone(): string | null {
  const device = useDeviceZone();
  return use(AccountZoneContext) ?? device;
}

/** Like `useDisplayZone`, with UTC as fallback. */
export function useOwnZone(): string {
  return useDisplayZone() ?? 'UTC';
}

/** Returns the device's time zone, or the account's until that is known. */
export function useNearZone(): string {
  return useDeviceZone() ?? use(AccountZoneContext) ?? 'UTC';
}

export function ZoneLine({ timeZone, className }: { timeZone: string; className?: string }) {
  const device = useDeviceZone();
  const [now] = useState(() => new Date().toISOString());
  if (device === null || !clocksDiffer(now, timeZone, device)) return null;
  return <p className={className}>{m.web_times_in_zone({ zone: zoneText(timeZone) })}</p>;
}
