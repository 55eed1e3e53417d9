import { SignalHigh, SignalLow, SignalMedium } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { HelpNow } from '#/web/components/help-now.tsx';
import type { SessionPage } from '../contract.ts';
import type { Quality } from './call-rules.ts';
import { qualityText, timeLeftText } from './call-texts.ts';
import { namesOf } from './device-check.tsx';

const qualityIcons: Readonly<Record<Quality, ReactNode>> = {
  good: <SignalHigh aria-hidden className="size-4.5 shrink-0 text-sage" />,
  unsteady: <SignalMedium aria-hidden className="size-4.5 shrink-0 text-gold" />,
  poor: <SignalLow aria-hidden className="size-4.5 shrink-0 text-clay" />,
};

export function CallHeader({
  page,
  now,
  quality,
}: {
  page: SessionPage;
  /** In epoch milliseconds. */
  now: number;
  /** Null while alone. */
  quality: Quality | null;
}) {
  const timeLeft = timeLeftText(now, Date.parse(page.endsAt), Date.parse(page.closesAt));
  return (
    <>
      <div className="flex min-h-12 items-center gap-x-4 border-b border-line px-3">
        <h1 className="min-w-0 flex-1 truncate text-base">{m.video_call_with({ name: namesOf(page) })}</h1>
        <p className="text-sm text-quiet max-sm:sr-only">{m.video_not_recorded()}</p>
        {quality && (
          <p className="flex min-w-0 items-center gap-1.5 text-sm">
            {qualityIcons[quality]}
            <span className="truncate">
              <span className="text-quiet max-sm:sr-only">{m.video_connection()} </span>
              {qualityText(quality)}
            </span>
          </p>
        )}
        <HelpNow compact className="-mr-1.5 shrink-0" />
      </div>
      {timeLeft && <p className="bg-card px-3 py-1 text-center text-sm">{timeLeft}</p>}
    </>
  );
}
