import { useEffect, useState, type RefObject } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { countCall } from '#/web/activity.ts';
import { useFocusRestore } from '#/web/components/focus-restore.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { Caller } from './waiting-callers.tsx';
import { mediaFailureText } from './media-texts.ts';
import type { Part } from './own-media-view.ts';
import type { OwnMedia } from './own-media.ts';

/** Returns epoch milliseconds, updated every `every` milliseconds. */
export function useMoment(every: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Keeps the screen on, the session active and the focus inside for the duration of a call. */
export function useCallPage(main: RefObject<HTMLElement | null>): void {
  useWakeLock();
  useEffect(countCall, []);
  useFocusRestore(main);
  // The button that opened this screen is gone, so focus needs a new place.
  useEffect(() => main.current?.focus(), [main]);
}

function useWakeLock(): void {
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
        // Low battery: let the screen sleep.
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

/** Toggles full screen; null if unsupported. */
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
    // The whole page: dialogs stay visible.
    const change = on ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => undefined);
  };
  return { on, turn };
}

/** Toggles picture-in-picture; null if unsupported. */
export function useFloating(find: () => HTMLVideoElement | null): { on: boolean; turn: () => void } | null {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const read = () => setOn(document.pictureInPictureElement !== null);
    // Both events bubble up from every video.
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
    // The video may not have loaded yet.
    change?.catch(() => undefined);
  };
  return { on, turn };
}

/** Lets people in from the waiting room. */
export function useAdmission(appointmentId: string) {
  const queries = useQueryClient();
  const admit = useMutation({
    mutationFn: ({ personId }: Caller) => api.video.admit.call({ appointmentId, personId }),
    onSettled: () => queries.invalidateQueries({ queryKey: api.video.room.key() }),
    onError: () => toast.failed(m.video_admit_failed()),
  });
  return {
    admitting: admit.isPending ? admit.variables.personId : null,
    admit: (caller: Caller) => admit.mutate(caller),
  };
}

/** Turns tracks on and off during the call, with a toast when that isn't possible. */
export function useMediaToggles(media: OwnMedia, screenSharedBy: string | undefined) {
  return {
    toggleTrack: async (part: Part) => {
      await media.turn(part, !media.view().on[part]);
      const problem = media.view().problems[part];
      if (!problem) return;
      const { title, text } = mediaFailureText(part, problem);
      toast.failed(title, text);
    },
    toggleScreen: () => {
      if (media.view().screen) media.stopSharingScreen();
      else if (screenSharedBy)
        toast({ title: m.video_shows_screen({ name: screenSharedBy }), description: m.video_one_screen() });
      else void media.shareScreen();
    },
  };
}
