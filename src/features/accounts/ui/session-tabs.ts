import { useEffect } from 'react';
import { isSessionOver } from '#/web/session-end.ts';
import type { Viewer } from '../contract.ts';

/**
 * Tells the browser's other tabs who is signed in here, and calls `follow` when they say otherwise. A signed-out tab
 * that missed it asks the server once it's seen.
 */
export function useSameSession(viewer: Viewer | null, follow: () => Promise<void>): void {
  const own = viewer && `${viewer.id} ${viewer.role}`;
  useEffect(() => {
    let tabs: BroadcastChannel | null = null;
    const open = () => {
      if (tabs) return;
      tabs = new BroadcastChannel('viewer');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
      tabs.postMessage(own);
      tabs.addEventListener('message', ({ data }) => {
        if (data !== own) void follow();
      });
    };
    // An open channel can keep browsers from restoring the page for "Back".
    const close = () => {
      tabs?.close();
      tabs = null;
    };
    window.addEventListener('pagehide', close);
    window.addEventListener('pageshow', open);
    open();
    const catchUp = async () => {
      const { fetchSession } = await import('./session-clock.ts');
      if (await fetchSession(true)) await follow();
    };
    const seen = () => {
      if (own === null && document.visibilityState === 'visible' && !isSessionOver())
        catchUp().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', seen);
    seen();
    return () => {
      close();
      window.removeEventListener('pagehide', close);
      window.removeEventListener('pageshow', open);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [own, follow]);
}
