import type { AppointmentView } from '../appointment/contract.ts';
import { dateText, elsewhereText, timeText } from '#/web/times.ts';

export function SessionTimes({
  appointment: { startsAt, endsAt, provider },
  timeZone,
}: {
  appointment: Pick<AppointmentView, 'startsAt' | 'endsAt'> & {
    provider: Pick<AppointmentView['provider'], 'timeZone'>;
  };
  timeZone: string;
}) {
  const elsewhere = elsewhereText(startsAt, timeZone, provider.timeZone);
  return (
    <>
      <time dateTime={startsAt} className="block font-semibold">
        {dateText(startsAt, timeZone)}
      </time>
      <span className="block">
        {timeText(startsAt, timeZone)} – {timeText(endsAt, timeZone)}
      </span>
      {elsewhere && <span className="block text-sm text-quiet">{elsewhere}</span>}
    </>
  );
}
