import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { lazyPart } from '#/web/lazy-part.tsx';
import { toast } from '#/web/components/toast.tsx';
import { followSession, type Ending, type SessionClock } from './session-clock.ts';
import { useSession } from './session.tsx';

const IdleDialog = lazyPart(async () => (await import('./idle-dialog.tsx')).IdleDialog);

export function IdleWatch() {
  const { site, follow, signOut } = useSession();
  const [ending, setEnding] = useState<Ending | null>(null);
  const clock = useRef<SessionClock>(null);
  useEffect(() => {
    const ended = (early: boolean) => {
      void follow();
      if (early)
        toast({
          title: m.accounts_signed_out_elsewhere_title(),
          description: m.accounts_signed_out_elsewhere(),
        });
      else toast({ title: m.accounts_idle_ended_title(), description: m.accounts_idle_ended_text() });
    };
    // Leaves no page of the person on a device without a network.
    const lost = () => window.location.replace('/offline');
    const follows = followSession({ ending: setEnding, ended, lost });
    clock.current = follows;
    return () => follows.stop();
  }, [follow]);
  useEffect(() => {
    void clock.current?.look();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a site that has changed can have another timeout
  }, [follow, site]);

  return (
    ending && (
      <IdleDialog
        ending={ending}
        onExtend={() => void clock.current?.extend()}
        onLeave={() => void signOut()}
      />
    )
  );
}
