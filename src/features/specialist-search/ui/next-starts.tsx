import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { shortDateText, openTimeText } from '#/web/times.ts';
import type { BookingStart } from '#/features/appointments/ui/booking-start.ts';
import type { NextStarts } from '../contract.ts';
import type { Search } from './find-search.ts';
import { useShownZone } from './shown-zone.tsx';

/** Buttons for a specialist's next open times. Without script, they are in the site's zone. */
export function NextStartButtons({
  next,
  name,
  search,
  className = 'grid-cols-3',
  onBook,
}: {
  /** Undefined if they couldn't be loaded. */
  next: NextStarts | undefined;
  name: string;
  search?: Pick<Search, 'care' | 'type'>;
  className?: string;
  onBook: (start: BookingStart) => void;
}) {
  const zone = useShownZone();
  if (!next) return <p className="min-h-14">{m.finding_next_failed()}</p>;
  if (next.starts.length === 0) return <p className="min-h-14">{m.finding_next_none()}</p>;
  return (
    <ul className={classes('grid min-h-14 gap-2', className)}>
      {next.starts.map((start) => {
        const when = { date: shortDateText(start, zone), time: openTimeText(start, zone) };
        return (
          <li key={start}>
            <Button
              variant="secondary"
              size="sm"
              className="h-full w-full px-1! font-normal! tabular-nums"
              aria-label={m.finding_book_start({ ...when, name })}
              data-start={start}
              suppressHydrationWarning
              onClick={() =>
                onBook({
                  providerId: next.providerId,
                  ...(search?.care ? { serviceId: search.care } : {}),
                  startsAt: start,
                  durationMinutes: next.durationMinutes,
                  ...(search?.type ? { sessionType: search.type } : {}),
                })
              }
            >
              <time dateTime={start}>
                <span data-part="date" suppressHydrationWarning>
                  {when.date}
                </span>{' '}
                <span data-part="time" suppressHydrationWarning className="block font-semibold">
                  {when.time}
                </span>
              </time>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
