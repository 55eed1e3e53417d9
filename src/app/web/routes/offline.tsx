import { CalendarDays, MapPin, Phone, Video } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { deviceZone, formatInstant } from '#/kernel/date-text.ts';
import { safeReturnPath } from '#/features/accounts/rules.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { clocksDiffer, dateText, timeText, zoneText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Container } from '#/web/components/page.tsx';
import { Switch } from '#/web/components/choice.tsx';
import {
  storedSessions,
  mayKeep,
  setMayKeep,
  type StoredSession,
  type StoredSessions,
} from '../offline/store.ts';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.offline_title);

type StoredView = 'looking' | StoredSessions | null;

export default function Offline() {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  const [kept, setKept] = useState<StoredView>('looking');
  const [allowed, setAllowed] = useState(true);
  useEffect(() => {
    storedSessions().then(setKept, () => setKept(null));
  }, []);
  useEffect(() => {
    queueMicrotask(() => setAllowed(mayKeep()));
  }, []);
  const allow = (next: boolean) => {
    setAllowed(next);
    setMayKeep(next).then(
      () => !next && setKept(null),
      () => setAllowed(!next),
    );
  };
  return (
    <main id="content" tabIndex={-1} className="py-10 outline-none sm:py-16">
      <Container className="max-w-reading!">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h1 className="text-2xl sm:text-3xl">{m.offline_title()}</h1>
          <HelpNow className="-mr-2" />
        </div>
        <p className="mt-2 text-lg text-quiet">{m.offline_text()}</p>
        <div className="mt-5">
          {/* Full load: this page is rendered for guests. */}
          <Button disabled={!hydrated} onClick={() => window.location.assign(reloadPath(query.get('from')))}>
            {m.web_try_again()}
          </Button>
        </div>
        <Section titleId="kept" title={m.offline_sessions()} className="mt-10">
          {kept !== 'looking' && <Sessions kept={kept} />}
        </Section>
        <Card className="mt-10">
          <Switch
            label={m.offline_keep()}
            description={m.offline_keep_text()}
            checked={allowed}
            disabled={!hydrated}
            onChange={(event) => allow(event.target.checked)}
          />
        </Card>
      </Container>
    </main>
  );
}

function Sessions({ kept }: { kept: StoredSessions | null }) {
  if (!kept || kept.sessions.length === 0) {
    return (
      <EmptyState illustration={<WindowIllustration />} title={m.offline_empty_title()}>
        {kept ? m.offline_empty_known({ when: whenText(kept.at) }) : m.offline_empty_text()}
      </EmptyState>
    );
  }
  return (
    <>
      <p className="mt-1 text-quiet">{m.offline_updated({ when: whenText(kept.at) })}</p>
      <ul className="mt-4 grid gap-4">
        {kept.sessions.map((session) => (
          <Session key={session.id} session={session} zone={kept.timeZone ?? deviceZone()} />
        ))}
      </ul>
    </>
  );
}

const icons = { online: Video, phone: Phone, 'in-person': MapPin };

function Session({ session, zone }: { session: StoredSession; zone: string }) {
  const Icon = icons[session.sessionType];
  return (
    <Card as="li">
      <h3 className="text-lg">{session.service ?? m.offline_session()}</h3>
      <p className="text-quiet">{m.web_with_name({ name: session.specialist })}</p>
      <p className="mt-3 flex gap-2.5">
        <CalendarDays aria-hidden className="mt-0.5 size-5 shrink-0 text-quiet" />
        <time dateTime={session.startsAt}>
          {dateText(session.startsAt, zone)}, {timeText(session.startsAt, zone)} –{' '}
          {timeText(session.endsAt, zone)}
          {clocksDiffer(session.startsAt, zone, deviceZone()) &&
            ` (${m.web_times_zone({ zone: zoneText(zone) })})`}
        </time>
      </p>
      <p className="mt-1.5 flex gap-2.5">
        <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-quiet" />
        <span>
          {sessionTypeText(session.sessionType)}
          {session.location && <span className="block text-quiet">{session.location}</span>}
        </span>
      </p>
      {!session.confirmed && <p className="mt-3 text-sm text-quiet">{m.offline_waiting()}</p>}
    </Card>
  );
}

function whenText(at: number): string {
  return formatInstant(at, deviceZone(), { dateStyle: 'long', timeStyle: 'short' });
}

/** Accepts same-site paths other than this page. */
function reloadPath(from: string | null): string {
  const path = safeReturnPath(from);
  return path.startsWith('/offline') ? safeReturnPath(null) : path;
}
