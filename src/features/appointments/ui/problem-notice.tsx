import { useEffect, type RefObject } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { offeredStarts, appointmentFailure, type About } from './failure-text.ts';
import type { FailureNotice } from '#/web/failures.ts';
import { shortDateText, timeText } from '#/web/times.ts';

export function ProblemNotice({
  error,
  about,
  describe = appointmentFailure,
  zone,
  onChoose,
  className,
}: {
  error: unknown;
  about: About;
  describe?: (error: unknown, about: About) => FailureNotice;
  zone: string;
  /** Choosing a time unmounts the notice, so the caller must move focus. */
  onChoose: (start: string) => void;
  className?: string;
}) {
  if (!error) return null;
  const { title, text } = describe(error, about);
  const offered = offeredStarts(error);
  return (
    <Notice
      tone="destructive"
      title={title}
      className={className}
      action={
        offered.length > 0 && (
          <>
            <p className="w-full text-sm font-semibold">{m.booking_next_free_times()}</p>
            {offered.map((start) => (
              <Button key={start} variant="secondary" size="sm" onClick={() => onChoose(start)}>
                {m.web_date_time({ date: shortDateText(start, zone), time: timeText(start, zone) })}
              </Button>
            ))}
          </>
        )
      }
    >
      {text}
    </Notice>
  );
}

/** Scrolls to a form's notice after a failure. */
export function useProblemInSight(form: RefObject<HTMLFormElement | null>, error: unknown): void {
  useEffect(() => {
    if (error) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [form, error]);
}
