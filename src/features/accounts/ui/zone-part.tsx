import { useMemo } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import { useDeviceZone } from '#/web/own-zone.tsx';

export function ZonePart({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (zone: string) => void;
}) {
  const offers = useMemo(() => timeZoneOffers(), []);
  const device = useDeviceZone();
  const own = device && presentZone(device);
  return (
    <div>
      <Field label={m.accounts_profile_zone()} hint={m.accounts_profile_zone_hint()} error={error}>
        <Combobox name="timeZone" autoComplete="off" value={value} onChange={onChange} offers={offers} />
      </Field>
      {own !== null && value !== own && (
        <Button variant="quiet" size="sm" className="-ml-3.5" onClick={() => onChange(own)}>
          {m.accounts_profile_zone_own({ zone: zoneName(own) })}
        </Button>
      )}
    </div>
  );
}

/** Changed with practice hours, not here. */
export function PracticeZone({ zone }: { zone: string }) {
  return (
    <div>
      <Field label={m.accounts_profile_zone()} hint={m.accounts_profile_zone_practice()}>
        <TextInput name="practiceZone" value={zoneName(zone)} disabled />
      </Field>
      <Link
        to="/availability"
        className="inline-flex min-h-11 items-center text-primary underline hover:text-primary-strong"
      >
        {m.accounts_profile_zone_availability()}
      </Link>
    </div>
  );
}
