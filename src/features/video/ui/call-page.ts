import { useEffect, useState } from 'react';

/** The moment in epoch milliseconds, taken anew each so many milliseconds. */
export function useMoment(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Keeps the screen lit while the component is shown, where the browser can. */
export function useLitScreen(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const take = async () => {
      if (document.visibilityState !== 'visible') return;
      try {
        const taken = await navigator.wakeLock.request('screen');
        if (over) await taken.release();
        else lock = taken;
      } catch {
        // The battery is low: the screen goes dark as ever.
      }
    };
    const again = () => void take();
    void take();
    document.addEventListener('visibilitychange', again);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', again);
      void lock?.release();
    };
  }, []);
}

/** Whether the page fills the screen, and how to change that; null where the browser can't. */
export function useFullScreen(): { on: boolean; turn: () => void } | null {
  const [on, setOn] = useState(() => document.fullscreenElement !== null);
  useEffect(() => {
    const read = () => setOn(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', read);
    return () => {
      document.removeEventListener('fullscreenchange', read);
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, []);
  if (!document.fullscreenEnabled) return null;
  const turn = () => {
    // The whole page, so that dialogs stay in sight.
    const change = on ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => undefined);
  };
  return { on, turn };
}

/** Whether a picture of the call floats over other windows, and how to change that; null where the browser can't. */
export function useFloating(find: () => HTMLVideoElement | null): { on: boolean; turn: () => void } | null {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const read = () => setOn(document.pictureInPictureElement !== null);
    // They bubble from whichever picture it is.
    document.addEventListener('enterpictureinpicture', read);
    document.addEventListener('leavepictureinpicture', read);
    return () => {
      document.removeEventListener('enterpictureinpicture', read);
      document.removeEventListener('leavepictureinpicture', read);
      if (document.pictureInPictureElement) void document.exitPictureInPicture();
    };
  }, []);
  if (!document.pictureInPictureEnabled) return null;
  const turn = () => {
    const change = on ? document.exitPictureInPicture() : find()?.requestPictureInPicture();
    // A picture that hasn't come yet can't float.
    change?.catch(() => undefined);
  };
  return { on, turn };
}
