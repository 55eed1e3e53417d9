import { dateText, timeText, zoneText } from '#/web/times.ts';
import type { SessionPage } from '#/features/video/contract.ts';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';

export function SessionWhen({
  page: { service, startsAt, endsAt, timeZone },
  className,
}: {
  page: SessionPage;
  className?: string;
}) {
  return (
    <p className={classes('text-balance text-quiet', className)}>
      <span className="block font-semibold text-ink">{service}</span>
      <time dateTime={startsAt}>
        {m.video_when({
          date: dateText(startsAt, timeZone),
          start: whole(timeText(startsAt, timeZone)),
          end: whole(timeText(endsAt, timeZone)),
          zone: zoneText(timeZone),
        })}
      </time>
    </p>
  );
}

/** Prevents line breaks inside a time. */
function whole(time: string): string {
  return time.replace(' ', '\u00a0');
}
