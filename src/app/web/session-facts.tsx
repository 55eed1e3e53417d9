import { CalendarDays, User, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { dateText, elsewhereText, timeText, zoneText } from '#/web/times.ts';

export function SessionFacts({
  session: { provider, startsAt, endsAt, timeZone: theirs },
  timeZone,
  how,
  children,
}: {
  session: {
    provider: { name: string; title: string };
    startsAt: string;
    endsAt: string;
    /** The provider's time zone. */
    timeZone: string;
  };
  /** The reader's time zone. */
  timeZone: string;
  how: ReactNode;
  children?: ReactNode;
}) {
  const elsewhere = elsewhereText(startsAt, timeZone, theirs);
  return (
    <Card className="mt-6">
      <dl className="grid gap-4">
        <Fact icon={<CalendarDays aria-hidden />} name={m.invitation_when()}>
          <time dateTime={startsAt} className="block font-semibold">
            {dateText(startsAt, timeZone)}
          </time>
          <span className="block">
            {timeText(startsAt, timeZone)} – {timeText(endsAt, timeZone)}{' '}
            <span className="text-quiet">({m.web_times_zone({ zone: zoneText(timeZone) })})</span>
          </span>
          {elsewhere && <span className="block text-sm text-quiet">{elsewhere}</span>}
          {children}
        </Fact>
        <Fact icon={<User aria-hidden />} name={m.invitation_with()}>
          {provider.name}
          <span className="block text-sm text-quiet">{provider.title}</span>
        </Fact>
        <Fact icon={<Video aria-hidden />} name={m.invitation_how()}>
          {how}
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="relative pl-9">
      <dt className="text-sm text-quiet">
        <span className="absolute top-0.5 left-0 text-primary [&_svg]:size-5">{icon}</span>
        {name}
      </dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
