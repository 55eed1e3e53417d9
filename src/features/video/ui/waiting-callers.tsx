import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import type { Room } from '../contract.ts';

/** A waiting person, possibly with several browsers. */
export interface Caller {
  personId: string;
  name: string;
}

export function callersOf(room: Room | undefined): Caller[] {
  const waiting = (room?.peers ?? []).filter((peer) => peer.waiting);
  return [...new Map(waiting.map(({ personId, name }) => [personId, { personId, name }])).values()];
}

export function WaitingCallers({
  callers,
  admitting,
  onAdmit,
}: {
  callers: readonly Caller[];
  admitting: string | null;
  onAdmit: (caller: Caller) => void;
}) {
  if (callers.length === 0) return null;
  return (
    <ul className="absolute inset-x-2 top-2 z-10 mx-auto grid max-w-md gap-2">
      {callers.map((caller) => (
        <li
          key={caller.personId}
          className="flex items-center justify-between gap-3 rounded-card border border-control bg-card py-1.5 pr-1.5 pl-4 shadow-soft"
        >
          <span className="min-w-0 wrap-anywhere">{m.video_is_waiting({ name: caller.name })}</span>
          <Button
            size="sm"
            className="shrink-0"
            busy={admitting === caller.personId}
            onClick={() => onAdmit(caller)}
          >
            {m.video_admit()}
            <span className="sr-only"> {caller.name}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
