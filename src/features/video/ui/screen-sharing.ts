import type { OwnMediaStore } from './own-media-view.ts';

/** Phone browsers can't share screens. */
export function canShareScreen(): boolean {
  return 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices;
}

/** Returns false if the person cancels. */
export async function shareScreen(store: OwnMediaStore): Promise<boolean> {
  try {
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: false });
    const track = stream.getVideoTracks()[0];
    if (!track) return false;
    if (store.isStopped()) {
      track.stop();
      return false;
    }
    track.contentHint = 'detail';
    // Browsers show their own stop button.
    track.addEventListener('ended', () => {
      if (store.view().screen === track) store.update({ screen: null });
    });
    store.view().screen?.stop();
    store.update({ screen: track });
    return true;
  } catch {
    return false;
  }
}

export function stopSharingScreen(store: OwnMediaStore): void {
  store.view().screen?.stop();
  store.update({ screen: null });
}
