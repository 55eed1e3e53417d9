import { useEffect, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import type { Ending } from './session-clock.ts';

/** Seconds; few announcements, to limit screen reader noise. */
const spokenSeconds = [120, 60, 30, 10];

export function IdleDialog({
  ending,
  onExtend,
  onLeave,
}: {
  ending: Ending;
  onExtend: () => void;
  onLeave: () => void;
}) {
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={onExtend}
      title={m.accounts_idle_title()}
      description={ending.extendable ? m.accounts_idle_text() : m.accounts_idle_longest_text()}
      footer={
        <>
          <Button variant="secondary" onClick={onLeave}>
            {m.accounts_idle_leave()}
          </Button>
          {ending.extendable && <Button onClick={onExtend}>{m.accounts_idle_stay()}</Button>}
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
