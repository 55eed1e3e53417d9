import type { ReactNode } from 'react';
import { dateText, timeText, zoneText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import type { RoomPart, SessionPage } from '../contract.ts';

/** Page for phone and in-person sessions. */
export function MeetingFrame({
  page,
  title,
  illustration,
  actions,
  children,
}: {
  page: SessionPage;
  title: string;
  illustration: ReactNode;
  actions: ReactNode;
  children: ReactNode;
}) {
  const { part, service, startsAt, endsAt, timeZone, others } = page;
  const over = isOver(page);
  return (
    <div className="mx-auto w-full max-w-reading">
      <div className="flex items-center gap-6">
        <div className="min-w-0 flex-1">
          <h1 className="text-2xl sm:text-3xl">{title}</h1>
          <p className="mt-1.5 text-lg">{service}</p>
          <p className="mt-1 text-quiet">
            <time dateTime={startsAt}>
              {m.video_when({
                date: dateText(startsAt, timeZone),
                start: timeText(startsAt, timeZone),
                end: timeText(endsAt, timeZone),
                zone: zoneText(timeZone),
              })}
            </time>
          </p>
          {others.length > 1 && (
            <p className="mt-1 text-quiet">{m.web_with_names({ names: namesText(others) })}</p>
          )}
        </div>
        <div aria-hidden className="w-40 shrink-0 max-sm:hidden">
          {illustration}
        </div>
      </div>
      {over ? (
        <Card className="mt-6">
          <p className="font-serif text-xl font-semibold">{m.video_over_title()}</p>
          <p className="mt-1.5 text-quiet">{overTexts[part]()}</p>
        </Card>
      ) : (
        children
      )}
      <div className="mt-6 flex flex-wrap gap-3">{actions}</div>
    </div>
  );
}

const overTexts: Readonly<Record<RoomPart, () => string>> = {
  provider: m.video_meet_over_own,
  client: m.video_meet_over_text,
  guest: m.video_meet_over_guest,
};

export function isOver({ refusal }: SessionPage): boolean {
  return refusal === 'over' || refusal === 'ended';
}

function namesText(people: readonly { name: string }[]): string {
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(people.map(({ name }) => name));
}
