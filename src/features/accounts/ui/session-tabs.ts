import { useEffect, useRef } from 'react';
import { isSessionOver } from '#/web/session-end.ts';
import type { Viewer } from '../contract.ts';
import { emitSessionEvent, onSessionEvent } from './session-events.ts';

/**
 * Emits what happens to who is signed in here, tells the browser's other tabs, and calls `follow` when they say
 * otherwise. A signed-out tab that missed it asks the server once it's seen.
 */
export function useSameSession(viewer: Viewer | null, follow: () => Promise<void>): void {
  const known = useRef<Viewer | null>(undefined);
  useEffect(() => {
    let tabs: BroadcastChannel | null = null;
    const own = () => known.current && `${known.current.id} ${known.current.role}`;
    const tell = () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
      if (known.current !== undefined) tabs?.postMessage(own());
    };
    const open = () => {
      if (tabs) return;
      tabs = new BroadcastChannel('viewer');
      tabs.addEventListener('message', ({ data }) => {
        if (data !== own()) void follow();
      });
      tell();
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
      if (known.current === null && document.visibilityState === 'visible' && !isSessionOver())
        catchUp().catch(() => undefined);
    };
    document.addEventListener('visibilitychange', seen);
    const unlisten = onSessionEvent(() => {
      tell();
      seen();
    });
    return () => {
      close();
      unlisten();
      window.removeEventListener('pagehide', close);
      window.removeEventListener('pageshow', open);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [follow]);

  useEffect(() => {
    const before = known.current;
    known.current = viewer;
    if (before === undefined) emitSessionEvent('INITIAL_SESSION');
    else if (before?.id !== viewer?.id) emitSessionEvent(viewer ? 'SIGNED_IN' : 'SIGNED_OUT');
    else if (JSON.stringify(before) !== JSON.stringify(viewer)) emitSessionEvent('USER_UPDATED');
  }, [viewer]);
}
