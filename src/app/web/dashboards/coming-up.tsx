import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { plainDateText, timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { comingSpan, daysOf } from './days.ts';
import { live } from './live.ts';

const daysShown = 5;

export function ComingUp({
  from,
  today,
  timeZone,
  onDate,
}: {
  from: number;
  today: string;
  timeZone: string;
  onDate: (date: string) => void;
}) {
  const [days, setDays] = useState(daysShown);
  const query = useQuery({
    ...api.appointments.mine.queryOptions({ input: comingSpan(from) }),
    ...live,
  });
  return (
    <Section title={m.home_coming_up()} titleClassName="mb-3 text-xl">
      <Card className="px-1.5! py-1.5!">
        <Fetched query={query} failure={m.home_load_failed()} skeleton={<Skeleton className="m-3 h-24" />}>
          {(appointments) => {
            const coming = daysOf(appointments, timeZone).filter(([date]) => date > today);
            if (coming.length === 0) return <p className="p-3 text-quiet">{m.home_coming_up_empty()}</p>;
            return (
              <>
                <ul>
                  {coming.slice(0, days).map(([date, sessions]) => (
                    <li key={date}>
                      <button
                        type="button"
                        onClick={() => onDate(date)}
                        className="flex w-full items-start gap-3 rounded-control px-3 py-2 text-left hover:bg-sunken"
                      >
                        <span className="min-w-0 flex-1">
                          <span className="block font-semibold">{plainDateText(date)}</span>
                          {sessions.map((one) => (
                            <span key={one.id} className="flex gap-2.5 text-sm text-quiet">
                              <span className="shrink-0 tabular-nums">
                                {timeText(one.startsAt, timeZone)}
                              </span>
                              <span className="truncate">{one.client?.name}</span>
                              {one.status === 'pending' && (
                                <span className="ml-auto shrink-0 font-semibold text-ink">
                                  {m.booking_status_pending()}
                                </span>
                              )}
                            </span>
                          ))}
                        </span>
                        <ChevronRight className="mt-1 size-4.5 shrink-0 text-quiet" />
                      </button>
                    </li>
                  ))}
                </ul>
                {coming.length > days && (
                  <Button variant="quiet" size="sm" onClick={() => setDays(days + daysShown)}>
                    {m.web_show_more()}
                  </Button>
                )}
              </>
            );
          }}
        </Fetched>
      </Card>
    </Section>
  );
}
