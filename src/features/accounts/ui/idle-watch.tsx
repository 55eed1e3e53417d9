import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { followSession, type Ending, type SessionClock } from './session-clock.ts';
import { useSession } from './session.tsx';

/** Seconds; few announcements, to limit screen reader noise. */
const spokenSeconds = [120, 60, 30, 10];

export function IdleWatch() {
  const { site, refresh, signOut } = useSession();
  const { toast } = useToast();
  const [ending, setEnding] = useState<Ending | null>(null);
  const clock = useRef<SessionClock>(null);
  useEffect(() => {
    const ended = () => {
      void refresh();
      toast({ title: m.accounts_idle_ended_title(), description: m.accounts_idle_ended_text() });
    };
    const follows = followSession({ ending: setEnding, ended });
    clock.current = follows;
    return () => follows.stop();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a site that has changed can have another timeout
  }, [refresh, toast, site]);

  if (!ending) return null;
  const extend = () => void clock.current?.extend();
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={extend}
      title={m.accounts_idle_title()}
      description={ending.extendable ? m.accounts_idle_text() : m.accounts_idle_longest_text()}
      footer={
        <>
          <Button variant="secondary" onClick={() => void signOut()}>
            {m.accounts_idle_leave()}
          </Button>
          {ending.extendable && <Button onClick={extend}>{m.accounts_idle_stay()}</Button>}
        </>
      }
    >
      <Countdown endsAt={ending.endsAt} />
    </Dialog>
  );
}

function Countdown({ endsAt }: Pick<Ending, 'endsAt'>) {
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAt));
  useEffect(() => {
    const tick = setInterval(() => setSeconds(secondsUntil(endsAt)), 1_000);
    return () => clearInterval(tick);
  }, [endsAt]);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const said = spokenSeconds.findLast((one) => one >= seconds) ?? spokenSeconds[0]!;
  return (
    <>
      <p aria-hidden className="text-center font-serif text-3xl tabular-nums">
        {time}
      </p>
      <p role="status" className="sr-only">
        {m.accounts_idle_left({ seconds: said })}
      </p>
    </>
  );
}

function secondsUntil(endsAt: number): number {
  return Math.max(0, Math.round((endsAt - performance.now()) / 1000));
}
