import { useEffect, useState } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { listenTo } from './sound.ts';

const bars = 12;
/** Sampling interval in milliseconds. */
const every = 120;

export function LevelMeter({ track, className }: { track: MediaStreamTrack | null; className?: string }) {
  const level = useLevel(track);
  return (
    <div className={className}>
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

/** In bars, on a decibel scale like perceived loudness. */
function useLevel(track: MediaStreamTrack | null): number {
  const [level, setLevel] = useState(0);
  useEffect(() => {
    if (!track) return;
    const ear = listenTo(track);
    const timer = setInterval(() => {
      const measured = ear.level();
      const decibels = 20 * Math.log10(Math.max(measured, 0.0001));
      const now = Math.round(Math.min(1, Math.max(0, (decibels + 60) / 50)) * bars);
      // Falls one bar at a time, bridging pauses between words.
      setLevel((before) => Math.max(now, before - 1));
    }, every);
    return () => {
      clearInterval(timer);
      ear.stop();
      setLevel(0);
    };
  }, [track]);
  return level;
}

function levelText(level: number): string {
  if (level === 0) return m.video_level_none();
  return level < 4 ? m.video_level_quiet() : m.video_level_good();
}
