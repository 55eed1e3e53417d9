import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, useLiveQueries } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field } from '#/web/components/field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText } from '#/web/failures.ts';
import type { HolidaysView } from '../contract.ts';
import { useAvailability } from './availability-queries.ts';
import { dateText } from './day-texts.ts';

const mutationKey = ['holidays'];

export function HolidaysCard({ onNews }: { onNews: (news: string) => void }) {
  /** Null shows the observed region. */
  const [region, setRegion] = useState<string | null>(null);
  useLiveQueries(api.availability.holidays.key(), 'availability.changed');
  const query = useQuery({
    ...api.availability.holidays.queryOptions({ input: region === null ? {} : { region } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section card title={m.availability_holidays()}>
      <p className="mt-1 mb-3 text-quiet">{m.availability_holidays_text()}</p>
      <Fetched
        query={query}
        failure={m.availability_holidays_failed()}
        skeleton={<Skeleton className="h-20" />}
      >
        {(found) => (
          <>
            <Field label={m.availability_holidays_region()}>
              <Combobox
                autoComplete="off"
                placeholder={m.availability_holidays_choose()}
                value={region ?? found.kept?.region ?? ''}
                offers={found.regions.map((one) => ({ value: one.id, label: one.name }))}
                onChange={setRegion}
              />
            </Field>
            {region === null && !found.kept ? null : query.isPlaceholderData ? (
              <Skeleton className="mt-4 h-40" />
            ) : (
              <HolidayList
                key={region ?? found.kept?.region}
                region={region ?? found.kept?.region ?? ''}
                found={found}
                onNews={onNews}
              />
            )}
          </>
        )}
      </Fetched>
    </Section>
  );
}

function HolidayList({
  region,
  found,
  onNews,
}: {
  region: string;
  found: HolidaysView;
  onNews: (news: string) => void;
}) {
  const { fetch } = useAvailability();
  const queries = useQueryClient();
  const [others, setOthers] = useState(false);
  const [wanted, setWanted] = useState<readonly string[] | null>(null);
  const holidays = found.holidays.map((one) =>
    wanted ? { ...one, isKept: wanted.includes(one.name) } : one,
  );
  const isPublicKept = holidays.every(({ isPublic, isKept }) => !isPublic || isKept);
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: ({ names }: { names: readonly string[]; news: string }) =>
      api.availability.saveHolidays.call({ region, names: [...names] }),
    // Sends changes one at a time, in order.
    scope: { id: 'holidays' },
    onSuccess: async (_, { news }) => {
      onNews(news);
      // Refreshes the date list, which includes holidays.
      await fetch();
    },
    onError: (error) => toast.failed(failureText(error)),
    // After the last change, show the stored state.
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: api.availability.holidays.key() });
      if (queries.isMutating({ mutationKey }) === 1) setWanted(null);
    },
  });
  const keep = (isKept: (holiday: HolidaysView['holidays'][number]) => boolean, news: string) => {
    const names = holidays.filter(isKept).map(({ name }) => name);
    setWanted(names);
    mutate({ names, news });
  };
  const shown = holidays.filter(({ isPublic, isKept }) => isPublic || isKept || others);
  const hidden = holidays.length - shown.length;
  const keptElsewhere =
    found.kept && found.kept.region !== region
      ? found.regions.find((one) => one.id === found.kept?.region)?.name
      : undefined;
  return (
    <>
      {keptElsewhere && (
        <p className="mt-3 rounded-control bg-sunken px-4 py-3">
          {m.availability_holidays_other({ region: keptElsewhere })}
        </p>
      )}
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {shown.map(({ name, dates, isKept }) => (
          <li key={name} className="py-0.5">
            <Switch
              label={name}
              description={dates[0] && dateText(dates[0])}
              checked={isKept}
              onChange={({ target }) =>
                keep(
                  (one) => (one.name === name ? target.checked : one.isKept),
                  target.checked ? m.availability_holiday_on({ name }) : m.availability_holiday_off({ name }),
                )
              }
            />
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        {!isPublicKept && (
          <Button
            variant="secondary"
            size="sm"
            onClick={() =>
              keep(({ isPublic, isKept }) => isPublic || isKept, m.availability_holidays_saved())
            }
          >
            {m.availability_holidays_all()}
          </Button>
        )}
        {hidden > 0 && (
          <Button variant="quiet" size="sm" onClick={() => setOthers(true)}>
            {m.availability_holidays_more({ count: hidden })}
          </Button>
        )}
      </div>
    </>
  );
}
