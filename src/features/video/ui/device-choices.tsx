import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { canChooseSpeaker, type DeviceKind } from './devices.ts';
import type { OwnMediaView } from './own-media-view.ts';
import type { OwnMedia } from './own-media.ts';
import { playTrial } from './sound.ts';

const labels: Readonly<Record<DeviceKind, () => string>> = {
  camera: m.video_camera,
  microphone: m.video_microphone,
  speaker: m.video_speaker,
};

export function DeviceChoices({ media, view }: { media: OwnMedia; view: OwnMediaView }) {
  const kinds = (['camera', 'microphone', 'speaker'] as const).filter(
    (kind) => view.devices[kind].length > 0 && (kind !== 'speaker' || canChooseSpeaker()),
  );
  return (
    <div className="grid gap-4">
      {kinds.map((kind) => {
        const devices = view.devices[kind];
        const used = kind === 'speaker' ? null : view[kind]?.getSettings().deviceId;
        const wanted = used ?? view.chosen[kind];
        const value = devices.some(({ deviceId }) => deviceId === wanted) ? wanted : devices[0]?.deviceId;
        return (
          <Field key={kind} label={labels[kind]()}>
            <Select value={value ?? ''} onChange={({ target }) => void media.choose(kind, target.value)}>
              {devices.map(({ deviceId, label }, place) => (
                <option key={deviceId} value={deviceId}>
                  {label || m.video_device_unnamed({ number: place + 1 })}
                </option>
              ))}
            </Select>
          </Field>
        );
      })}
      {view.camera && <Blur media={media} blurred={view.blurred} />}
      <SpeakerTrial speaker={view.chosen.speaker} />
    </div>
  );
}

function Blur({ media, blurred }: { media: OwnMedia; blurred: boolean | null }) {
  if (blurred === null) return <p className="text-sm text-quiet">{m.video_blur_missing()}</p>;
  return (
    <Switch
      label={m.video_blur()}
      checked={blurred}
      // If the camera refuses, the switch stays unchanged.
      onChange={({ target }) => void media.blur(target.checked).catch(() => undefined)}
    />
  );
}

function SpeakerTrial({ speaker }: { speaker: string | null }) {
  const [state, setState] = useState<'still' | 'playing' | 'played' | 'failed'>('still');
  const play = async () => {
    setState('playing');
    setState(
      await playTrial(speaker).then(
        () => 'played' as const,
        () => 'failed' as const,
      ),
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="secondary" size="sm" busy={state === 'playing'} onClick={() => void play()}>
        <Volume2 aria-hidden />
        {m.video_speaker_test()}
      </Button>
      <p role="status" className="min-w-0 flex-1 text-sm text-quiet">
        {state === 'playing' && m.video_speaker_playing()}
        {state === 'played' && m.video_speaker_played()}
        {state === 'failed' && m.video_speaker_failed()}
      </p>
    </div>
  );
}
