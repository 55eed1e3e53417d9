import { failureText } from '#/web/failures.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  Maximize,
  MessageSquare,
  Mic,
  MicOff,
  Minimize,
  MonitorUp,
  MonitorX,
  OctagonX,
  Phone,
  PhoneOff,
  PictureInPicture2,
  Settings2,
  SignalHigh,
  SignalLow,
  SignalMedium,
  Users,
  Video,
  VideoOff,
} from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { holdCall } from '#/web/activity.ts';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { useKeptFocus } from '#/web/components/kept-focus.ts';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { Room, SessionPage } from '../contract.ts';
import { CallControls, type Control } from './call-controls.tsx';
import { useFloating, useFullScreen, useLitScreen, useMoment } from './call-page.ts';
import { CallStage } from './call-stage.tsx';
import type { Quality } from './call-rules.ts';
import { eventText, qualityText, timeLeftText } from './call-texts.ts';
import type { CallEvent } from './call-events.ts';
import type { Call } from './call.ts';
import { ChatPanel } from './chat-panel.tsx';
import { DeviceChoices } from './device-choices.tsx';
import { namesOf } from './device-check.tsx';
import { problemText } from './media-texts.ts';
import type { Part } from './own-media-view.ts';
import type { OwnMedia } from './own-media.ts';
import { canShareScreen } from './screen-sharing.ts';
import { PeoplePanel } from './people-panel.tsx';
import { PhoneDialog, PhoneLine } from './phone-dialog.tsx';
import { playKnock } from './sound.ts';
import { callersOf, WaitingCallers, type Caller } from './waiting-callers.tsx';

const chimeMemory = 'italk-chime';
const qualityIcons: Readonly<Record<Quality, ReactNode>> = {
  good: <SignalHigh aria-hidden className="size-4.5 shrink-0 text-sage" />,
  unsteady: <SignalMedium aria-hidden className="size-4.5 shrink-0 text-gold" />,
  poor: <SignalLow aria-hidden className="size-4.5 shrink-0 text-clay" />,
};
/** Milliseconds a status message stays visible. */
const lineStays = 5_000;

export function CallScreen({
  page,
  room,
  call,
  media,
  viewerId,
  event,
  onPhone,
  onLeave,
}: {
  page: SessionPage;
  room: Room | undefined;
  call: Call;
  media: OwnMedia;
  viewerId: string;
  /** `number` distinguishes repeated events. */
  event: { number: number; event: CallEvent } | null;
  onPhone: () => void;
  onLeave: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const view = useSyncExternalStore(call.subscribe, call.view);
  const own = useSyncExternalStore(media.subscribe, media.view);
  const main = useRef<HTMLElement>(null);
  const chatButton = useRef<HTMLButtonElement>(null);
  const peopleButton = useRef<HTMLButtonElement>(null);
  const [panel, setPanel] = useState<'chat' | 'people' | null>(null);
  const [read, setRead] = useState(0);
  const [dialog, setDialog] = useState<'devices' | 'phone' | 'end' | null>(null);
  const [phoneAskedBy, setPhoneAskedBy] = useState<string | null>(null);
  const [blocked, setBlocked] = useState(false);
  const [chime, setChime] = useChime();
  const now = useMoment(5_000);
  const fullScreen = useFullScreen();
  const floating = useFloating(() => main.current?.querySelector('figure[data-large] video') ?? null);
  useLitScreen();
  useEffect(holdCall, []);
  useKeptFocus(main);
  // The button that opened this screen is gone, so focus needs a new place.
  useEffect(() => main.current?.focus(), []);

  const theirs = view.chat.filter(({ name }) => name !== null).length;
  if (panel === 'chat' && read !== theirs) setRead(theirs);
  const unread = panel === 'chat' ? 0 : theirs - read;

  const callers = page.part === 'provider' ? callersOf(room) : [];
  const line = useLine(event, panel === 'chat');
  const asked = event?.event.kind === 'phone' ? event.event.name : null;
  if (asked && asked !== phoneAskedBy) setPhoneAskedBy(asked);
  useKnock(callers, chime, own.chosen.speaker);

  const admit = useMutation({
    mutationFn: ({ personId }: Caller) =>
      api.video.admit.call({ appointmentId: page.appointmentId, personId }),
    onSettled: () => queries.invalidateQueries({ queryKey: api.video.room.key() }),
    onError: () => toast({ tone: 'destructive', title: m.video_admit_failed() }),
  });
  const end = useMutation({
    mutationFn: () => api.video.end.call({ appointmentId: page.appointmentId }),
    onSuccess: (ended) => {
      queries.setQueryData(
        api.video.page.queryOptions({ input: { appointmentId: page.appointmentId } }).queryKey,
        ended,
      );
      onLeave();
    },
  });

  const open = (which: 'chat' | 'people') => setPanel((shown) => (shown === which ? null : which));
  const close = () => {
    (panel === 'chat' ? chatButton : peopleButton).current?.focus();
    setPanel(null);
  };
  const turn = async (part: Part) => {
    await media.turn(part, !own.on[part]);
    const problem = media.view().problems[part];
    if (!problem) return;
    const { title, text } = problemText(part, problem);
    toast({ tone: 'destructive', title, description: text });
  };
  const sharer = view.participants.find(({ doing }) => doing.screen)?.peer.name;
  const share = () => {
    if (own.screen) media.stopSharingScreen();
    else if (sharer)
      toast({ title: m.video_shows_screen({ name: sharer }), description: m.video_one_screen() });
    else void media.shareScreen();
  };

  const always: Control[] = [
    {
      id: 'microphone',
      label: m.video_microphone(),
      icon: own.on.microphone ? <Mic aria-hidden /> : <MicOff aria-hidden />,
      pressed: own.on.microphone,
      tone: own.on.microphone ? undefined : 'off',
      onPress: () => void turn('microphone'),
    },
    {
      id: 'camera',
      label: m.video_camera(),
      icon: own.on.camera ? <Video aria-hidden /> : <VideoOff aria-hidden />,
      pressed: own.on.camera,
      tone: own.on.camera ? undefined : 'off',
      onPress: () => void turn('camera'),
    },
    {
      id: 'chat',
      label: m.video_chat(),
      icon: <MessageSquare aria-hidden />,
      pressed: panel === 'chat',
      note: unread > 0 ? m.video_unread({ count: unread }) : undefined,
      tone: unread > 0 ? 'news' : undefined,
      onPress: () => open('chat'),
      ref: chatButton,
    },
  ];
  const more: Control[] = [
    ...(canShareScreen()
      ? [
          {
            id: 'screen',
            label: own.screen ? m.video_stop_sharing() : m.video_share(),
            icon: own.screen ? <MonitorX aria-hidden /> : <MonitorUp aria-hidden />,
            onPress: share,
          },
        ]
      : []),
    {
      id: 'people',
      label: m.video_people(),
      icon: <Users aria-hidden />,
      pressed: panel === 'people',
      note: callers.length > 0 ? m.video_waiting_count({ count: callers.length }) : undefined,
      onPress: () => open('people'),
      ref: peopleButton,
    },
    ...(fullScreen
      ? [
          {
            id: 'full',
            label: m.video_full_screen(),
            icon: fullScreen.on ? <Minimize aria-hidden /> : <Maximize aria-hidden />,
            pressed: fullScreen.on,
            onPress: fullScreen.turn,
          },
        ]
      : []),
    ...(floating
      ? [
          {
            id: 'floating',
            label: m.video_floating(),
            icon: <PictureInPicture2 aria-hidden />,
            pressed: floating.on,
            onPress: floating.turn,
          },
        ]
      : []),
    {
      id: 'devices',
      label: m.video_devices(),
      icon: <Settings2 aria-hidden />,
      onPress: () => setDialog('devices'),
    },
    {
      id: 'phone',
      label: m.video_phone(),
      icon: <Phone aria-hidden />,
      onPress: () => {
        setDialog('phone');
        onPhone();
      },
    },
    ...(page.part === 'provider'
      ? [
          {
            id: 'end',
            label: m.video_end(),
            icon: <OctagonX aria-hidden />,
            onPress: () => setDialog('end'),
          },
        ]
      : []),
  ];
  const left = timeLeftText(now, Date.parse(page.endsAt), Date.parse(page.closesAt));

  return (
    <main
      ref={main}
      id="content"
      tabIndex={-1}
      className="night fixed inset-0 z-30 flex flex-col bg-paper text-ink outline-none"
    >
      <div className="flex min-h-12 items-center gap-x-4 border-b border-line px-3">
        <h1 className="min-w-0 flex-1 truncate text-base">{m.video_call_with({ name: namesOf(page) })}</h1>
        <p className="text-sm text-quiet max-sm:sr-only">{m.video_not_recorded()}</p>
        {view.participants.length > 0 && (
          <p className="flex min-w-0 items-center gap-1.5 text-sm">
            {qualityIcons[view.quality]}
            <span className="truncate">
              <span className="text-quiet max-sm:sr-only">{m.video_connection()} </span>
              {qualityText(view.quality)}
            </span>
          </p>
        )}
        <HelpNow compact className="-mr-1.5 shrink-0" />
      </div>
      {left && <p className="bg-card px-3 py-1 text-center text-sm">{left}</p>}
      <div className="relative flex min-h-0 flex-1">
        <CallStage
          view={view}
          own={own}
          viewerId={viewerId}
          ownName={page.ownName}
          onBlocked={() => setBlocked(true)}
          line={line}
        >
          <WaitingCallers
            callers={callers}
            admitting={admit.isPending ? admit.variables.personId : null}
            onAdmit={(caller) => admit.mutate(caller)}
          />
          {(blocked || phoneAskedBy) && (
            <div className="absolute inset-x-2 bottom-9 z-10 mx-auto grid max-w-md gap-2">
              {blocked && (
                <Notice
                  className="shadow-soft"
                  title={m.video_silent()}
                  action={
                    <Button
                      size="sm"
                      onClick={() => {
                        setBlocked(false);
                        for (const video of main.current?.querySelectorAll('video') ?? []) void video.play();
                      }}
                    >
                      {m.video_sound_on()}
                    </Button>
                  }
                />
              )}
              {phoneAskedBy && (
                <Notice
                  className="shadow-soft"
                  title={m.video_phone_asked({ name: phoneAskedBy })}
                  action={
                    <Button variant="secondary" size="sm" onClick={() => setPhoneAskedBy('')}>
                      {m.web_close()}
                    </Button>
                  }
                >
                  <PhoneLine page={page} />
                </Notice>
              )}
            </div>
          )}
        </CallStage>
        {panel === 'chat' && (
          <ChatPanel
            messages={view.chat}
            crisis={page.part !== 'provider'}
            alone={view.participants.every(({ state }) => state !== 'connected')}
            onSend={call.sendChat}
            onClose={close}
          />
        )}
        {panel === 'people' && (
          <PeoplePanel
            page={page}
            viewerId={viewerId}
            participants={view.participants}
            callers={callers}
            chime={chime}
            onAdmit={(caller) => admit.mutate(caller)}
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
        always={always}
        more={more}
        last={[
          {
            id: 'leave',
            label: m.video_leave(),
            icon: <PhoneOff aria-hidden />,
            tone: 'leave',
            onPress: onLeave,
          },
        ]}
      />
      <Dialog
        open={dialog === 'devices'}
        onOpenChange={(shown) => setDialog(shown ? 'devices' : null)}
        title={m.video_devices()}
        size="sm"
      >
        <DeviceChoices media={media} view={own} />
      </Dialog>
      <PhoneDialog
        page={page}
        open={dialog === 'phone'}
        onOpenChange={(shown) => setDialog(shown ? 'phone' : null)}
        onLeave={onLeave}
      />
      <AlertDialog
        open={dialog === 'end'}
        onOpenChange={(shown) => setDialog(shown ? 'end' : null)}
        title={m.video_end_title()}
        description={m.video_end_text()}
        confirmLabel={m.video_end()}
        busy={end.isPending}
        onConfirm={() => end.mutate()}
      >
        {end.isError && (
          <Notice tone="destructive" title={m.video_end_failed()} className="mt-4">
            {failureText(end.error)}
          </Notice>
        )}
      </AlertDialog>
    </main>
  );
}

/** Skips chat messages while the chat is open. */
function useLine(event: { number: number; event: CallEvent } | null, chatOpen: boolean): string | null {
  const [gone, setGone] = useState(0);
  const number = event?.number ?? 0;
  useEffect(() => {
    if (number === 0) return;
    const timer = setTimeout(() => setGone(number), lineStays);
    return () => clearTimeout(timer);
  }, [number]);
  if (!event || number <= gone) return null;
  if (event.event.kind === 'said' && chatOpen) return null;
  return eventText(event.event);
}

/** Knocks once per newly waiting person. */
function useKnock(callers: readonly Caller[], chime: boolean, speaker: string | null): void {
  const known = useRef(new Set<string>());
  useEffect(() => {
    const isNew = callers.some(({ personId }) => !known.current.has(personId));
    known.current = new Set(callers.map(({ personId }) => personId));
    // The message is also shown as text.
    if (isNew && chime) playKnock(speaker).catch(() => undefined);
  }, [callers, chime, speaker]);
}

/** Remembered per browser. */
function useChime(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    try {
      return localStorage.getItem(chimeMemory) !== 'off';
    } catch {
      return true;
    }
  });
  const turn = (next: boolean) => {
    setOn(next);
    try {
      localStorage.setItem(chimeMemory, next ? 'on' : 'off');
    } catch {
      // Without storage, the choice lasts for this call.
    }
  };
  return [on, turn];
}
