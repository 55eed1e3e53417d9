import { useMemo } from 'react';
import { m } from '#/texts/messages.js';
import { Select } from '#/web/components/field.tsx';
import { deviceZone } from '#/web/device-zone.ts';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';

const someZones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Africa/Nairobi',
  'Asia/Manila',
];

/** Offers the device's zone, the provider's own, some common ones and all others. */
export function ZoneSelect({
  zone,
  own,
  onChange,
}: {
  zone: string;
  own: string;
  onChange: (zone: string) => void;
}) {
  const all = useMemo(() => timeZoneOffers(), []);
  const device = presentZone(deviceZone());
  const option = (value: string, words?: string) => (
    <option key={value} value={value}>
      {words ? `${words}: ${zoneName(value)}` : zoneName(value)}
    </option>
  );
  const few = someZones.filter((one) => one !== device && one !== own);
  const named = new Set([device, own, ...few]);
  return (
    <Select value={zone} onChange={({ target }) => onChange(target.value)}>
      {option(device, m.booking_preview_zone_device())}
      {own !== device && option(own, m.booking_preview_zone_own())}
      <optgroup label={m.booking_preview_zones_some()}>{few.map((one) => option(one))}</optgroup>
      <optgroup label={m.booking_preview_zones_all()}>
        {all.filter(({ value }) => !named.has(value)).map(({ value }) => option(value))}
      </optgroup>
    </Select>
  );
}
