import { m } from '#/texts/messages.js';
import { shortDateText, timeText } from '#/web/times.ts';
import type { FreeTimesChoice } from './free-times-choice.ts';
import { FreeTimes } from './free-times.tsx';

/** Free times to move an appointment to. */
export function NewTime({
  times,
  tried,
  appointment: { provider, durationMinutes },
}: {
  times: FreeTimesChoice;
  tried: boolean;
  appointment: { provider: { name: string }; durationMinutes: number };
}) {
  const { start, date } = times;
  const missing = tried && !start;
  return (
    <FreeTimes
      times={times}
      providerName={provider.name}
      durationMinutes={durationMinutes}
      dateError={missing && !date && m.web_date_missing()}
      timeError={missing && date && m.web_time_missing()}
    />
  );
}

export function newTimeText(start: string, timeZone: string): string {
  return m.booking_move_to({ date: shortDateText(start, timeZone), time: timeText(start, timeZone) });
}
