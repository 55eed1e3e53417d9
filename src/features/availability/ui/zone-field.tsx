import { useMemo } from 'react';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import { m } from '#/texts/messages.js';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { PartProps } from './part-props.ts';

export function ZoneField({ week, view, problems, onChange }: PartProps) {
  const offers = useMemo(() => timeZoneOffers(), []);
  const zone = presentZone(week.timeZone);
  return (
    <div>
      <Field label={m.availability_zone()} hint={m.availability_zone_hint()} error={problems.timeZone}>
        <Combobox
          autoComplete="off"
          value={zone}
          onChange={(timeZone) => onChange({ ...week, timeZone })}
          offers={offers}
        />
      </Field>
      {zone !== presentZone(view.timeZone) && (
        <Notice className="mt-3">{m.availability_zone_changed({ zone: zoneName(zone) })}</Notice>
      )}
    </div>
  );
}
