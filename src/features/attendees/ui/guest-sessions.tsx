import { useQueryClient } from '@tanstack/react-query';
import { Clock, DoorOpen, UsersRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { GuestSession } from '../contract.ts';
import { SessionFileButton } from './guest-calendar.tsx';
import { useGuestSessions, guestFailureText } from './guest-list.ts';
import { sessionTypeIcons } from '#/features/appointments/ui/session-place.tsx';
import { sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { SessionTimes } from '#/features/appointments/ui/session-times.tsx';
import { StatusBadge } from '#/features/appointments/ui/status-badge.tsx';
import { dateText, timeText } from '#/web/times.ts';

export function GuestSessions({ timeZone, className }: { timeZone: string; className?: string }) {
  const sessions = useGuestSessions();
  // Kept for the closing animation.
  const [asked, setAsked] = useState<GuestSession | null>(null);
  const [asking, setAsking] = useState(false);
  const list = sessions.data ?? [];
  if (sessions.isError && sessions.data === undefined) {
    return <LoadFailed title={m.guests_mine_failed()} query={sessions} className={className} />;
  }
  if (list.length === 0 && !asked) return null;
  return (
    <>
      {list.length > 0 && (
        <Section title={m.guests_mine()} titleClassName="mb-4 text-xl" focusable className={className}>
          <ul className="grid gap-4">
            {list.map((session) => (
              <li key={session.appointmentId}>
                <GuestCard
                  session={session}
                  timeZone={timeZone}
                  onLeave={() => {
                    setAsked(session);
                    setAsking(true);
                  }}
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {asked && <LeaveQuestion session={asked} timeZone={timeZone} open={asking} onOpenChange={setAsking} />}
    </>
  );
}

function GuestCard({
  session,
  timeZone,
  onLeave,
}: {
  session: GuestSession;
  timeZone: string;
  onLeave: () => void;
}) {
  const { appointmentId, provider, sessionType, status, others, ownName } = session;
  const titleId = `guest-session-${appointmentId}`;
  return (
    <Card as="article" aria-labelledby={titleId}>
      <div className="flex items-start gap-4">
        <Avatar
          id={provider.id}
          name={provider.name}
          src={provider.photoUrl}
          className="max-sm:size-10! max-sm:text-sm!"
        />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={titleId} className="text-lg">
              {m.web_session_with({ name: provider.name })}
            </h3>
            <StatusBadge appointment={{ status, expired: false }} party="client" />
          </div>
          <p className="text-quiet">{provider.title}</p>
        </div>
      </div>
      <ul className="mt-4 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
        <Fact icon={<Clock aria-hidden />}>
          <SessionTimes
            appointment={{ ...session, provider: { timeZone: session.timeZone } }}
            timeZone={timeZone}
          />
        </Fact>
        <Fact icon={sessionTypeIcons[sessionType]}>{sessionTypeText(sessionType)}</Fact>
        <Fact icon={<UsersRound aria-hidden />}>
          {m.web_with_names({ names: namesText(others) })}
          <span className="block text-sm text-quiet">{m.guests_own_name({ name: ownName })}</span>
        </Fact>
      </ul>
      <div className="mt-5 flex flex-wrap gap-2">
        {status === 'confirmed' && (
          <ButtonLink to={`/session/${appointmentId}`}>
            <DoorOpen aria-hidden />
            <span>
              {m.guests_join()}
              <VisuallyHidden>: {m.web_session_with({ name: provider.name })}</VisuallyHidden>
            </span>
          </ButtonLink>
        )}
        <SessionFileButton appointmentId={appointmentId} guest />
        <Button about={m.guests_leave_of({ name: provider.name })} variant="quiet" onClick={onLeave}>
          {m.guests_leave()}
        </Button>
      </div>
    </Card>
  );
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2.5 [&>svg]:mt-1 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-quiet">
      {icon}
      <span className="min-w-0 flex-1 break-words">{children}</span>
    </li>
  );
}

function LeaveQuestion({
  session: { appointmentId, startsAt },
  timeZone,
  open,
  onOpenChange,
}: {
  session: GuestSession;
  timeZone: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const queries = useQueryClient();
  const when = m.web_date_time({
    date: dateText(startsAt, timeZone),
    time: timeText(startsAt, timeZone),
  });
  return (
    <ConfirmAction
      open={open}
      act={() => api.attendees.leave.call({ appointmentId })}
      onDone={(left) => {
        queries.setQueryData(api.attendees.mine.queryKey(), left);
        onOpenChange(false);
        toast.done(m.guests_left());
      }}
      onFailed={() => queries.invalidateQueries({ queryKey: api.attendees.key() })}
      failureText={guestFailureText}
      onClose={() => onOpenChange(false)}
      title={m.guests_leave_title()}
      description={m.guests_leave_text({ when })}
      confirmLabel={m.guests_leave_confirm()}
      cancelLabel={m.guests_leave_keep()}
    />
  );
}

function namesText(names: readonly string[]): string {
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names);
}
