import { useRef, useState, useSyncExternalStore, type ComponentProps, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import type { Room, SessionPage } from '../contract.ts';
import {
  useCallPage,
  useFloating,
  useFullScreen,
  useMoment,
  useAdmission,
  useMediaToggles,
} from './call-page.ts';
import { leaveControl, mainControls, moreControls } from './call-control-list.tsx';
import { CallControls } from './call-controls.tsx';
import { CallDialogs, type CallDialog } from './call-dialogs.tsx';
import type { CallEvent } from './call-events.ts';
import { useCallPanel } from './call-panel.ts';
import { CallStage } from './call-stage.tsx';
import { usePhoneRequest, useStatusText } from './call-status.ts';
import type { CallView } from './call-view.ts';
import type { Call } from './call.ts';
import { ChatPanel } from './chat-panel.tsx';
import type { OwnMedia } from './own-media.ts';
import { PeoplePanel } from './people-panel.tsx';
import { canShareScreen } from './screen-sharing.ts';
import { callersOf, WaitingCallers } from './waiting-callers.tsx';
import { useWaitingChime } from './waiting-chime.ts';
import { SignalHigh, SignalLow, SignalMedium } from 'lucide-react';
import { HelpNow } from '#/web/components/help-now.tsx';
import type { Quality } from './call-rules.ts';
import { qualityText, timeLeftText } from './call-texts.ts';
import { namesOf } from './session-people.ts';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { PhoneLine } from './phone-dialog.tsx';

interface CallScreenProps {
  page: SessionPage;
  room: Room | undefined;
  call: Call;
  media: OwnMedia;
  viewerId: string;
  /** The latest one; repeated events are different objects. */
  event: CallEvent | null;
  onPhone: (asks: boolean) => void;
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
        <Chat
          open={panel === 'chat'}
          view={view}
          crisis={!isProvider}
          onSend={call.sendChat}
          onClose={close}
        />
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
      <CallStatus isOver={now >= Date.parse(page.endsAt)} callers={callers} />
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
            onPhone(true);
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
        onDialog={(next) => {
          if (dialog === 'phone') onPhone(false);
          setDialog(next);
        }}
        onLeave={onLeave}
      />
    </main>
  );
}

function CallStatus({ isOver, callers }: { isOver: boolean; callers: ReturnType<typeof callersOf> }) {
  return (
    <p role="status" className="sr-only">
      {isOver && m.video_time_is_over()} {callers.map(({ name }) => m.video_is_waiting({ name })).join(' ')}
    </p>
  );
}

/** Keeps unsent text while closed. */
function Chat({
  open,
  view: { chat, participants },
  ...panel
}: {
  open: boolean;
  view: CallView;
} & Pick<ComponentProps<typeof ChatPanel>, 'crisis' | 'onSend' | 'onClose'>) {
  const unsent = useRef('');
  if (!open) return null;
  return (
    <ChatPanel
      {...panel}
      messages={chat}
      textBefore={() => unsent.current}
      onType={(text) => {
        unsent.current = text;
      }}
      alone={participants.every(({ state }) => state !== 'connected')}
    />
  );
}

const qualityIcons: Readonly<Record<Quality, ReactNode>> = {
  good: <SignalHigh aria-hidden className="size-4.5 shrink-0 text-sage" />,
  unsteady: <SignalMedium aria-hidden className="size-4.5 shrink-0 text-gold" />,
  poor: <SignalLow aria-hidden className="size-4.5 shrink-0 text-clay" />,
};

function CallHeader({
  page,
  now,
  quality,
}: {
  page: SessionPage;
  /** In epoch milliseconds. */
  now: number;
  /** Null while alone. */
  quality: Quality | null;
}) {
  const timeLeft = timeLeftText(now, Date.parse(page.endsAt), Date.parse(page.closesAt));
  return (
    <>
      <div className="flex min-h-12 items-center gap-x-4 border-b border-line px-3">
        <h1 className="min-w-0 flex-1 truncate text-base">{m.web_session_with({ name: namesOf(page) })}</h1>
        <p className="text-sm text-quiet max-sm:sr-only">{m.video_not_recorded()}</p>
        {quality && (
          <p className="flex min-w-0 items-center gap-1.5 text-sm">
            {qualityIcons[quality]}
            <span className="truncate">
              <span className="text-quiet max-sm:sr-only">{m.video_connection()} </span>
              {qualityText(quality)}
            </span>
          </p>
        )}
        <HelpNow compact className="-mr-1.5 shrink-0" />
      </div>
      {timeLeft && <p className="bg-card px-3 py-1 text-center text-sm">{timeLeft}</p>}
    </>
  );
}

/** Notices that wait for an action: blocked sound, and a request to continue by phone. */
function CallNotices({
  page,
  soundBlocked,
  phoneRequestedBy,
  onPlaySound,
  onClosePhoneRequest,
}: {
  page: SessionPage;
  soundBlocked: boolean;
  phoneRequestedBy: string | null;
  onPlaySound: () => void;
  onClosePhoneRequest: () => void;
}) {
  if (!soundBlocked && !phoneRequestedBy) return null;
  return (
    <div className="absolute inset-x-2 bottom-9 z-10 mx-auto grid max-w-md gap-2">
      {soundBlocked && (
        <Notice
          className="shadow-soft"
          title={m.video_silent()}
          action={
            <Button size="sm" onClick={onPlaySound}>
              {m.video_sound_on()}
            </Button>
          }
        />
      )}
      {phoneRequestedBy && (
        <Notice
          className="shadow-soft"
          title={m.video_phone_asked({ name: phoneRequestedBy })}
          action={
            <Button variant="secondary" size="sm" onClick={onClosePhoneRequest}>
              {m.web_close()}
            </Button>
          }
        >
          <PhoneLine page={page} />
        </Notice>
      )}
    </div>
  );
}
