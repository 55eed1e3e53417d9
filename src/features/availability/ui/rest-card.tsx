import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#/web/api.tsx';
import { zoneName } from '#/web/zones.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, TextField } from '#/web/components/field.tsx';
import type { City } from '../contract.ts';
import { weekdayMomentText } from './day-texts.ts';
import type { PartProps } from './problem-texts.ts';
import { draftOf, type TypedPlace, type TypedWeek } from './week-draft.ts';

/** Number of rest periods shown, and how far ahead, in milliseconds. */
const shown = 3;
const ahead = 29 * 86_400_000;
/** Search debounce in milliseconds. */
const pause = 250;

export function RestCard({ week, problems, onChange }: PartProps) {
  const setPlace = (change: Partial<TypedPlace>) =>
    onChange({ ...week, place: { ...week.place, ...change } });
  return (
    <Section card title={m.availability_rest()}>
      <div className="mt-3 grid gap-5">
        <ChoiceGroup
          legend={m.availability_rest_which()}
          hint={restHint(week.restKind)}
          layout="chips"
          choices={[
            { value: 'none', label: m.availability_rest_none() },
            { value: 'sunday', label: m.availability_rest_sunday() },
            { value: 'sabbath', label: m.availability_rest_sabbath() },
          ]}
          value={week.restKind}
          onChange={(restKind) => onChange({ ...week, restKind })}
        />
        {week.restKind === 'sabbath' && (
          <div>
            {week.place.by === 'city' ? (
              <CityField place={week.place} error={problems.place} onChange={setPlace} />
            ) : (
              <div className="grid gap-5 sm:grid-cols-2">
                <TextField
                  label={m.availability_rest_latitude()}
                  hint={m.availability_rest_latitude_hint()}
                  error={problems.latitude}
                  autoComplete="off"
                  maxLength={16}
                  value={week.place.latitude}
                  onChange={({ target }) => setPlace({ latitude: target.value })}
                />
                <TextField
                  label={m.availability_rest_longitude()}
                  hint={m.availability_rest_longitude_hint()}
                  error={problems.longitude}
                  autoComplete="off"
                  maxLength={16}
                  value={week.place.longitude}
                  onChange={({ target }) => setPlace({ longitude: target.value })}
                />
              </div>
            )}
            <Button
              variant="quiet"
              size="sm"
              className="mt-1 -ml-3.5"
              onClick={() =>
                setPlace(
                  week.place.by === 'city'
                    ? { by: 'coordinates', timeZone: null }
                    : { by: 'city', name: '', latitude: '', longitude: '', timeZone: null },
                )
              }
            >
              {week.place.by === 'city' ? m.availability_rest_coordinates() : m.availability_rest_by_city()}
            </Button>
          </div>
        )}
        <NextRests week={week} />
      </div>
    </Section>
  );
}

function restHint(kind: TypedWeek['restKind']): string | undefined {
  if (kind === 'none') return undefined;
  return kind === 'sunday' ? m.availability_rest_sunday_text() : m.availability_rest_sabbath_text();
}

function CityField({
  place,
  error,
  onChange,
}: {
  place: TypedPlace;
  error: string | undefined;
  onChange: (place: Partial<TypedPlace>) => void;
}) {
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed.trim()), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  const cities = useQuery({
    ...api.availability.cities.queryOptions({ input: { query: wanted } }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  const found = cities.data ?? [];
  const current = place.name === '' ? [] : [{ value: spotOf(place), label: place.name }];
  const offers = found
    .map((city) => ({ value: spotOf(city), label: cityName(city) }))
    .filter(({ value }) => value !== current[0]?.value);
  return (
    <Field label={m.availability_rest_city()} hint={m.availability_rest_city_hint()} error={error}>
      <Combobox
        autoComplete="off"
        value={current[0]?.value ?? ''}
        offers={[...current, ...offers]}
        searching={typed.trim() !== wanted || cities.isFetching}
        onType={setTyped}
        onChange={(value) => {
          const city = found.find((one) => spotOf(one) === value);
          if (!city) return;
          onChange({
            by: 'city',
            name: cityName(city),
            latitude: String(city.latitude),
            longitude: String(city.longitude),
            timeZone: city.timeZone,
          });
        }}
      />
    </Field>
  );
}

function spotOf({ latitude, longitude }: { latitude: number | string; longitude: number | string }): string {
  return `${latitude} ${longitude}`;
}

function cityName({ name, region, country }: City): string {
  return [name, region === name ? '' : region, country].filter(Boolean).join(', ');
}

/** On demand, with a Temporal polyfill if needed. */
async function loadRests() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  return import('../rest/rules.ts');
}

type RestTimes = Awaited<ReturnType<typeof loadRests>>['restTimes'];

function NextRests({ week }: Pick<PartProps, 'week'>) {
  const [now] = useState(() => Date.now());
  const [reckon, setReckon] = useState<{ times: RestTimes } | null>(null);
  const wanted = week.restKind !== 'none';
  useEffect(() => {
    if (!wanted || reckon) return;
    let unmounted = false;
    // Rest still applies; only upcoming dates are missing.
    loadRests().then(
      ({ restTimes }) => !unmounted && setReckon({ times: restTimes }),
      () => undefined,
    );
    return () => {
      unmounted = true;
    };
  }, [wanted, reckon]);
  const { rest, timeZone } = draftOf(week).draft;
  const { place } = rest;
  const isSpot = place && Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180;
  if (!wanted || !reckon || (rest.kind === 'sabbath' && !isSpot)) return null;
  const zone = rest.kind === 'sabbath' ? (place?.timeZone ?? timeZone) : timeZone;
  const rests = reckon
    .times(rest, timeZone, { start: now, end: now + ahead })
    .filter(({ end }) => end > now)
    .slice(0, shown);
  const zoneWords = { zone: zoneName(zone) };
  return (
    <div className="rounded-control bg-sunken px-4 py-3">
      <h3 className="font-sans text-base font-semibold">{m.availability_rest_next()}</h3>
      <ul className="mt-1 grid gap-0.5 tabular-nums">
        {rests.map(({ start, end }) => (
          <li key={start}>
            {m.availability_rest_span({
              from: weekdayMomentText(start, zone),
              to: weekdayMomentText(end, zone),
            })}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-sm text-quiet">
        {rest.kind === 'sabbath'
          ? m.availability_rest_zone(zoneWords)
          : m.availability_rest_zone_sunday(zoneWords)}
      </p>
    </div>
  );
}
