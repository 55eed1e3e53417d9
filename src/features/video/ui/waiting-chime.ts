import { useEffect, useRef, useState } from 'react';
import { playKnock } from './sound.ts';
import type { Caller } from './waiting-callers.tsx';

const storageKey = 'italk-chime';

/** Plays a sound once per newly waiting person. The choice is remembered per browser. */
export function useWaitingChime(
  callers: readonly Caller[],
  speaker: string | null,
): [boolean, (on: boolean) => void] {
  const [on, turn] = useRememberedChoice();
  const known = useRef(new Set<string>());
  useEffect(() => {
    const isNew = callers.some(({ personId }) => !known.current.has(personId));
    known.current = new Set(callers.map(({ personId }) => personId));
    // The message is also shown as text.
    if (isNew && on) playKnock(speaker).catch(() => undefined);
  }, [callers, on, speaker]);
  return [on, turn];
}

function useRememberedChoice(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    try {
      return localStorage.getItem(storageKey) !== 'off';
    } catch {
      return true;
    }
  });
  const turn = (next: boolean) => {
    setOn(next);
    try {
      localStorage.setItem(storageKey, next ? 'on' : 'off');
    } catch {
      // Without storage, the choice lasts for this call.
    }
  };
  return [on, turn];
}
