import { Mic, MicOff, Video, VideoOff } from 'lucide-react';
import { useEffect, useSyncExternalStore, type ReactNode, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { SessionPage } from '../contract.ts';
import { DeviceChoices } from './device-choices.tsx';
import { HiddenAddress } from './hidden-address.tsx';
import { mediaFailureText } from './media-texts.ts';
import type { OwnMediaView, Part } from './own-media-view.ts';
import type { OwnMedia } from './own-media.ts';
import { namesOf } from './session-people.ts';
import { classes } from '#/web/components/classes.ts';
import { listenTo } from './sound.ts';

/** Before joining; camera and microphone are optional. */
export function DeviceCheck({
  page,
  media,
  joining,
  problem,
  onJoin,
}: {
  page: SessionPage;
  media: OwnMedia;
  joining: boolean;
  problem: ReactNode;
  onJoin: () => void;
}) {
  const view = useSyncExternalStore(media.subscribe, media.view, media.view);
  // Devices are on after the waiting room.
  const [starts] = useState(!joining);
  useEffect(() => {
    if (starts) void media.start();
  }, [media, starts]);
  const { asking, camera, microphone, on, problems } = view;
  return (
    <>
      <h1 className="text-2xl sm:text-3xl">{m.video_check_title()}</h1>
      <p className="mt-1.5 text-lg text-quiet">
        {m.video_check_intro({ service: page.service, name: namesOf(page) })}
      </p>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[1.2fr_1fr]">
        <div className="min-w-0">
          <div className="night relative grid aspect-video place-items-center overflow-hidden rounded-card border border-line bg-paper text-ink">
            {camera ? (
              <OwnPicture track={camera} />
            ) : (
              <p className="p-6 text-center text-quiet">
                {asking ? m.video_asking() : m.video_camera_is_off()}
              </p>
            )}
          </div>
          <div role="group" aria-label={m.video_before()} className="mt-3 flex flex-wrap gap-2">
            {(['microphone', 'camera'] as const).map((part) => (
              <Turn key={part} part={part} media={media} on={on[part]} disabled={asking} />
            ))}
          </div>
          {microphone && on.microphone && <LevelMeter track={microphone} />}
          <div className="mt-4 grid gap-3 empty:hidden">
            {problemsOf(problems).map(({ of, problem: found }) => {
              const { title, text } = mediaFailureText(of, found);
              const again = of === 'both' ? () => media.start() : () => media.turn(of, true);
              return (
                <Notice
                  key={of}
                  title={title}
                  action={
                    found !== 'unsupported' && (
                      <Button variant="secondary" size="sm" onClick={() => void again()}>
                        {m.web_try_again()}
                      </Button>
                    )
                  }
                >
                  {text}
                </Notice>
              );
            })}
          </div>
          {problem && (
            <Notice tone="destructive" title={m.video_enter_failed()} className="mt-5">
              {problem}
            </Notice>
          )}
          <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
            <Button size="lg" className="max-sm:w-full" busy={joining} disabled={asking} onClick={onJoin}>
              {m.video_join_session()}
            </Button>
            <p className="min-w-0 text-quiet">
              {!asking && !microphone && !camera ? m.video_join_without() : m.video_not_recorded()}
            </p>
          </div>
        </div>
        <Section card title={m.video_devices()} titleClassName="mb-4 text-xl">
          <DeviceChoices media={media} view={view} />
          <HiddenAddress appointmentId={page.appointmentId} />
        </Section>
      </div>
    </>
  );
}

function problemsOf({ camera, microphone }: OwnMediaView['problems']) {
  if (camera && camera === microphone) return [{ of: 'both' as const, problem: camera }];
  return [
    ...(camera ? [{ of: 'camera' as const, problem: camera }] : []),
    ...(microphone ? [{ of: 'microphone' as const, problem: microphone }] : []),
  ];
}

function Turn({
  part,
  media,
  on,
  disabled,
}: {
  part: Part;
  media: OwnMedia;
  on: boolean;
  disabled: boolean;
}) {
  const label = part === 'camera' ? m.video_camera() : m.video_microphone();
  const [On, Off] = part === 'camera' ? [Video, VideoOff] : [Mic, MicOff];
  return (
    <Button
      variant="secondary"
      aria-pressed={on}
      disabled={disabled}
      onClick={() => void media.turn(part, !on)}
    >
      {on ? <On aria-hidden /> : <Off aria-hidden className="text-clay" />}
      {label}
      <span aria-hidden className="text-sm font-normal text-quiet">
        {on ? m.video_on() : m.video_off()}
      </span>
    </Button>
  );
}

function OwnPicture({ track }: { track: MediaStreamTrack }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.srcObject = new MediaStream([track]);
    return () => {
      element.srcObject = null;
    };
  }, [track]);
  return <video ref={video} muted autoPlay playsInline className="size-full -scale-x-100 object-contain" />;
}

const bars = 12;
/** Sampling interval in milliseconds. */
const every = 120;

function LevelMeter({ track }: { track: MediaStreamTrack | null }) {
  const level = useLevel(track);
  return (
    <div className="mt-4">
      <div
        role="meter"
        aria-label={m.video_level()}
        aria-valuemin={0}
        aria-valuemax={bars}
        aria-valuenow={level}
        aria-valuetext={levelText(level)}
        className="grid h-3 grid-cols-12 gap-1"
      >
        {Array.from({ length: bars }, (_, place) => (
          <span
            key={place}
            className={classes('rounded-full', place < level ? 'bg-sage' : 'border border-control')}
          />
        ))}
      </div>
      <p className="mt-1.5 text-sm text-quiet">{levelText(level)}</p>
    </div>
  );
}

/** In bars, by decibels, as perceived. */
function useLevel(track: MediaStreamTrack | null): number {
  const [level, setLevel] = useState(0);
  useEffect(() => {
    if (!track) return;
    const meter = listenTo(track);
    const timer = setInterval(() => {
      const measured = meter.level();
      const decibels = 20 * Math.log10(Math.max(measured, 0.0001));
      const now = Math.round(Math.min(1, Math.max(0, (decibels + 60) / 50)) * bars);
      // Falls slowly, bridging pauses between words.
      setLevel((before) => Math.max(now, before - 1));
    }, every);
    return () => {
      clearInterval(timer);
      meter.stop();
      setLevel(0);
    };
  }, [track]);
  return level;
}

function levelText(level: number): string {
  if (level === 0) return m.video_level_none();
  return level < 4 ? m.video_level_quiet() : m.video_level_good();
}
