import { useRef, useState, useSyncExternalStore } from 'react';
import { m } from '#/texts/messages.js';
import type { Room, SessionPage } from '../contract.ts';
import { useAdmission } from './admission.ts';
import { leaveControl, mainControls, moreControls } from './call-control-list.tsx';
import { CallControls } from './call-controls.tsx';
import { CallDialogs, type CallDialog } from './call-dialogs.tsx';
import type { CallEvent } from './call-events.ts';
import { CallHeader } from './call-header.tsx';
import { CallNotices } from './call-notices.tsx';
import { useCallPage, useFloating, useFullScreen, useMoment } from './call-page.ts';
import { useCallPanel } from './call-panel.ts';
import { CallStage } from './call-stage.tsx';
import { usePhoneRequest, useStatusText } from './call-status.ts';
import type { Call } from './call.ts';
import { ChatPanel } from './chat-panel.tsx';
import { useMediaToggles } from './media-toggles.ts';
import type { OwnMedia } from './own-media.ts';
import { PeoplePanel } from './people-panel.tsx';
import { canShareScreen } from './screen-sharing.ts';
import { callersOf, WaitingCallers } from './waiting-callers.tsx';
import { useWaitingChime } from './waiting-chime.ts';

interface CallScreenProps {
  page: SessionPage;
  room: Room | undefined;
  call: Call;
  media: OwnMedia;
  viewerId: string;
  /** The latest one; repeated events are different objects. */
  event: CallEvent | null;
  onPhone: () => void;
  onLeave: () => void;
}

export function CallScreen({ page, room, call, media, viewerId, event, onPhone, onLeave }: CallScreenProps) {
  const view = useSyncExternalStore(call.subscribe, call.view);
  const own = useSyncExternalStore(media.subscribe, media.view);
  const main = useRef<HTMLElement>(null);
  const [dialog, setDialog] = useState<CallDialog | null>(null);
  const [soundBlocked, setSoundBlocked] = useState(false);
  const now = useMoment(5_000);
  const fullScreen = useFullScreen();
  const floating = useFloating(() => main.current?.querySelector('figure[data-large] video') ?? null);
  useCallPage(main);

  const { participants, chat } = view;
  const { panel, unread, chatButton, peopleButton, toggle, close } = useCallPanel(
    chat.filter(({ name }) => name !== null).length,
  );
  const statusText = useStatusText(event, panel === 'chat');
  const [phoneRequestedBy, dismissPhoneRequest] = usePhoneRequest(event);

  const isProvider = page.part === 'provider';
  const callers = isProvider ? callersOf(room) : [];
  const { admitting, admit } = useAdmission(page.appointmentId);
  const [chime, setChime] = useWaitingChime(callers, own.chosen.speaker);
  const sharer = participants.find(({ doing }) => doing.screen);
  const { toggleTrack, toggleScreen } = useMediaToggles(media, sharer?.peer.name);

  const playSound = () => {
    setSoundBlocked(false);
    for (const video of main.current?.querySelectorAll('video') ?? []) void video.play();
  };

  return (
    <main
      ref={main}
      id="content"
      tabIndex={-1}
      className="night fixed inset-0 z-30 flex flex-col bg-paper text-ink outline-none"
    >
      <CallHeader page={page} now={now} quality={participants.length > 0 ? view.quality : null} />
      <div className="relative flex min-h-0 flex-1">
        <CallStage
          view={view}
          own={own}
          viewerId={viewerId}
          ownName={page.ownName}
          onBlocked={() => setSoundBlocked(true)}
          line={statusText}
        >
          <WaitingCallers callers={callers} admitting={admitting} onAdmit={admit} />
          <CallNotices
            page={page}
            soundBlocked={soundBlocked}
            phoneRequestedBy={phoneRequestedBy}
            onPlaySound={playSound}
            onClosePhoneRequest={dismissPhoneRequest}
          />
        </CallStage>
        {panel === 'chat' && (
          <ChatPanel
            messages={chat}
            crisis={!isProvider}
            alone={participants.every(({ state }) => state !== 'connected')}
            onSend={call.sendChat}
            onClose={close}
          />
        )}
        {panel === 'people' && (
          <PeoplePanel
            page={page}
            viewerId={viewerId}
            participants={participants}
            callers={callers}
            chime={chime}
            onAdmit={admit}
            onChime={() => setChime(!chime)}
            onClose={close}
          />
        )}
      </div>
      <p role="status" className="sr-only">
        {now >= Date.parse(page.endsAt) && m.video_time_is_over()}{' '}
        {callers.map(({ name }) => m.video_is_waiting({ name })).join(' ')}
      </p>
      <CallControls
        always={mainControls({
          on: own.on,
          panel,
          unread,
          chatButton,
          onToggleTrack: (part) => void toggleTrack(part),
          onToggleChat: () => toggle('chat'),
        })}
        more={moreControls({
          screen: canShareScreen() ? { on: own.screen !== null, turn: toggleScreen } : null,
          panel,
          waiting: callers.length,
          peopleButton,
          fullScreen,
          floating,
          onTogglePeople: () => toggle('people'),
          onDevices: () => setDialog('devices'),
          onPhone: () => {
            setDialog('phone');
            onPhone();
          },
          onEnd: isProvider ? () => setDialog('end') : null,
        })}
        last={[leaveControl(onLeave)]}
      />
      <CallDialogs
        page={page}
        media={media}
        own={own}
        dialog={dialog}
        onDialog={setDialog}
        onLeave={onLeave}
      />
    </main>
  );
}
