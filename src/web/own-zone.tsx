import { use, useState, useSyncExternalStore } from 'react';
import { m } from '#/texts/messages.js';
import { AccountZoneContext } from './account-zone.ts';
import { clocksDiffer, deviceZone, zoneText } from './times.ts';

/** A device keeps its zone while a page is open. */
const never = () => () => undefined;

/** The zone of the person's own device; null on the server, which can't know it. */
export function useDeviceZone(): string | null {
  return useSyncExternalStore(never, deviceZone, () => null);
}

/**
 * The zone in which every screen tells times to its reader: their account's, which for a specialist is their practice's,
 * or a guest's device's; null while only the device would know.
 */
export function useKnownZone(): string | null {
  const device = useDeviceZone();
  return use(AccountZoneContext) ?? device;
}

/** The same; UTC until it is known. */
export function useOwnZone(): string {
  return useKnownZone() ?? 'UTC';
}

/** Names the zone of the times on a screen where the reader's device shows another time. */
export function ZoneLine({ timeZone, className }: { timeZone: string; className?: string }) {
  const device = useDeviceZone();
  const [now] = useState(() => new Date().toISOString());
  if (device === null || !clocksDiffer(now, timeZone, device)) return null;
  return <p className={className}>{m.web_times_in_zone({ zone: zoneText(timeZone) })}</p>;
}
