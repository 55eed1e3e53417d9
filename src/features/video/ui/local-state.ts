import { useEffect } from 'react';
import type { LocalState } from './call-connections.ts';
import type { Call } from './call.ts';
import type { OwnMediaView } from './own-media-view.ts';
import type { OwnMedia } from './own-media.ts';

/** What others receive. A muted microphone keeps its track. */
function localStateOf({ microphone, camera, screen, on }: OwnMediaView, phone: boolean): LocalState {
  return {
    tracks: { microphone, camera, screen },
    doing: {
      microphone: on.microphone && microphone !== null,
      camera: camera !== null,
      screen: screen !== null,
      phone,
    },
  };
}

/** Sends own tracks and state to the call on every change. */
export function useLocalState(call: Call | null, media: OwnMedia, phone: boolean): void {
  useEffect(() => {
    if (!call) return;
    const send = () => call.sendLocalState(localStateOf(media.view(), phone));
    send();
    return media.subscribe(send);
  }, [call, media, phone]);
}
