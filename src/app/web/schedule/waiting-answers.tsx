import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { AppointmentActions } from '#/features/appointments/ui/appointment-actions.tsx';
import { sessionTitle, sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { dateText, timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { iso, year } from '../dashboards/days.ts';
import { live } from '../dashboards/live.ts';
import { appointmentParts } from '../appointment-parts.ts';

const named = 3;

export function WaitingAnswers() {
  const [from] = useState(() => Date.now());
  const [all, setAll] = useState(false);
  const query = useQuery({
    ...api.appointments.mine.queryOptions({
      input: { status: 'pending', from: iso(from), to: iso(from + year), limit: 200 },
    }),
    ...live,
  });
  // Stays listed while its dialog is open.
  const [asked, setAsked] = useState<AppointmentView | null>(null);
  const waiting = query.data ?? [];
  const answered = asked && !waiting.some(({ id }) => id === asked.id) ? [{ ...asked, actions: [] }] : [];
  const shown = [...(all ? waiting : waiting.slice(0, named)), ...answered];
  if (shown.length === 0) return null;
  return (
    <Section titleId="waiting" title={m.schedule_waiting()} focusable className="print:hidden">
      <p className="mt-0.5 mb-3 text-quiet">{m.schedule_waiting_text()}</p>
      <Card className="px-5! py-1!">
        <ul className="divide-y divide-line">
          {shown.map((one) => {
            const timeZone = one.provider.timeZone;
            return (
              <li key={one.id} className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
                <div className="min-w-0 flex-1 basis-64">
                  <p className="font-semibold">{one.client?.name}</p>
                  <p>
                    <time dateTime={one.startsAt}>
                      {dateText(one.startsAt, timeZone)}, {timeText(one.startsAt, timeZone)}
                    </time>
                  </p>
                  <p className="text-sm text-quiet">
                    {sessionTitle(one)} · {sessionTypeText(one.sessionType)}
                  </p>
                </div>
                <AppointmentActions
                  appointment={one}
                  timeZone={timeZone}
                  parts={appointmentParts}
                  onAsking={(asking) => setAsked(asking ? one : null)}
                />
              </li>
            );
          })}
        </ul>
        {!all && waiting.length > named && (
          <Button variant="quiet" size="sm" className="mb-2 -ml-2" onClick={() => setAll(true)}>
            {m.web_show_all({ count: waiting.length })}
          </Button>
        )}
      </Card>
    </Section>
  );
}
