import { m } from '#/texts/messages.js';
import { useToast } from '#/web/components/toast.tsx';
import { mediaFailureText } from './media-texts.ts';
import type { Part } from './own-media-view.ts';
import type { OwnMedia } from './own-media.ts';

/** Turns tracks on and off during the call, with a toast when that isn't possible. */
export function useMediaToggles(media: OwnMedia, screenSharedBy: string | undefined) {
  const { toast } = useToast();
  return {
    toggleTrack: async (part: Part) => {
      await media.turn(part, !media.view().on[part]);
      const problem = media.view().problems[part];
      if (!problem) return;
      const { title, text } = mediaFailureText(part, problem);
      toast({ tone: 'destructive', title, description: text });
    },
    toggleScreen: () => {
      if (media.view().screen) media.stopSharingScreen();
      else if (screenSharedBy)
        toast({ title: m.video_shows_screen({ name: screenSharedBy }), description: m.video_one_screen() });
      else void media.shareScreen();
    },
  };
}
