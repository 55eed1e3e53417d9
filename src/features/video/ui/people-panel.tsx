import { BellOff, BellRing } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button } from '#/web/components/button.tsx';
import type { SessionPage } from '../contract.ts';
import type { Participant } from './call-view.ts';
import { SidePanel } from './side-panel.tsx';
import type { Caller } from './waiting-callers.tsx';

export function PeoplePanel({
  page,
  viewerId,
  participants,
  callers,
  chime,
  onAdmit,
  onChime,
  onClose,
}: {
  page: SessionPage;
  viewerId: string;
  participants: readonly Participant[];
  callers: readonly Caller[];
  chime: boolean;
  onAdmit: (caller: Caller) => void;
  onChime: () => void;
  onClose: () => void;
}) {
  const there = new Set(
    [...participants.map(({ peer }) => peer), ...callers].map(({ personId }) => personId),
  );
  const expected = page.others.filter(({ personId }) => !there.has(personId));
  return (
    <SidePanel title={m.video_people()} onClose={onClose}>
      <ul className="grid gap-3">
        <Person id={viewerId} name={page.ownName} label={m.video_you()} note={m.video_in_room()} />
        {participants.map(({ id, peer, doing, state }) => (
          <Person
            key={id}
            id={peer.personId}
            name={peer.name}
            note={
              state === 'connected'
                ? doing.microphone
                  ? m.video_in_room()
                  : m.video_is_muted()
                : state === 'connecting'
                  ? m.video_connecting()
                  : m.video_reconnecting()
            }
          />
        ))}
        {callers.map((caller) => (
          <Person key={caller.personId} id={caller.personId} name={caller.name} note={m.video_waits()}>
            <Button size="sm" onClick={() => onAdmit(caller)}>
              {m.video_admit()}
              <span className="sr-only"> {caller.name}</span>
            </Button>
          </Person>
        ))}
        {expected.map(({ personId, name }) => (
          <Person key={personId} id={personId} name={name} note={m.video_expected()} />
        ))}
      </ul>
      {page.part === 'provider' && (
        <Button variant="secondary" size="sm" aria-pressed={chime} className="mt-5" onClick={onChime}>
          {chime ? <BellRing aria-hidden /> : <BellOff aria-hidden />}
          {m.video_chime()}
        </Button>
      )}
    </SidePanel>
  );
}

function Person({
  id,
  name,
  label = name,
  note,
  children,
}: {
  id: string;
  name: string;
  label?: string;
  note: string;
  children?: React.ReactNode;
}) {
  return (
    <li className="flex items-center gap-3">
      <Avatar id={id} name={name} size="sm" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{label}</span>
        <span className="block text-sm text-quiet">{note}</span>
      </span>
      {children}
    </li>
  );
}
