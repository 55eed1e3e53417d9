import { m } from '#/texts/messages.js';
import type { AppointmentView } from '../appointment/contract.ts';
import { clocksDiffer, dateText, shortDateText, timeText, zoneText } from '#/web/times.ts';

export function SessionTimes({
  appointment: { startsAt, endsAt, provider },
  timeZone,
}: {
  appointment: Pick<AppointmentView, 'startsAt' | 'endsAt'> & {
    provider: Pick<AppointmentView['provider'], 'timeZone'>;
  };
  timeZone: string;
}) {
  return (
    <>
      <time dateTime={startsAt} className="block font-semibold">
        {dateText(startsAt, timeZone)}
      </time>
      <span className="block">
        {timeText(startsAt, timeZone)} – {timeText(endsAt, timeZone)}
      </span>
      {clocksDiffer(startsAt, timeZone, provider.timeZone) && (
        <span className="block text-sm text-quiet">
          {m.booking_summary_theirs({
            zone: zoneText(provider.timeZone),
            time: timeText(startsAt, provider.timeZone),
            date: shortDateText(startsAt, provider.timeZone),
          })}
        </span>
      )}
    </>
  );
}
