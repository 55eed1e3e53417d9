import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useOwnZone } from '#/web/own-zone.tsx';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { shortDateText, timeText } from '#/web/times.ts';

const day = 86_400_000;
/** In days. */
const horizon = 14;
/** Rounding lets visitors share a cached response. */
const step = 300_000;

/** Loads in the browser once visible: a cached page would show stale times. */
export function NextFreeTime({
  providerId,
  durationMinutes,
}: {
  providerId: string;
  durationMinutes: number;
}) {
  const api = useApi();
  const zone = useOwnZone();
  const place = useRef<HTMLSpanElement>(null);
  const [from, setFrom] = useState<number | null>(null);

  useEffect(() => {
    if (!place.current) return;
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      setFrom(Math.floor(Date.now() / step) * step);
      watch.disconnect();
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);

  const { data, isError } = useQuery({
    ...api.appointments.freeStarts.queryOptions({
      input: {
        providerId,
        from: new Date(from ?? 0).toISOString(),
        to: new Date((from ?? 0) + horizon * day).toISOString(),
        durationMinutes,
      },
    }),
    enabled: from !== null,
  });
  const next = data?.starts[0];
  return (
    <span ref={place}>
      {isError && m.booking_next_free_failed()}
      {!isError && !data && m.booking_next_free_looking()}
      {data &&
        (next ? (
          <time dateTime={next}>{m.booking_next_free({ time: whenText(next, zone) })}</time>
        ) : (
          m.booking_next_free_none()
        ))}
    </span>
  );
}

function whenText(instant: string, zone: string): string {
  return m.booking_date_time({ date: shortDateText(instant, zone), time: timeText(instant, zone) });
}
