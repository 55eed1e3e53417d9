import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { NavigationType, useBlocker, type BlockerFunction } from 'react-router';
import { agreed, guards } from './leaving.ts';

const dialogs: (() => void)[] = [];
let mounted: readonly symbol[] = [];
const listeners = new Set<() => void>();

function mount(next: readonly symbol[]): void {
  mounted = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The browser's Back closes an open dialog. */
export function useCloseOnBack(open: boolean, onOpenChange: (open: boolean) => void): void {
  const onBack = useEffectEvent(() => onOpenChange(false));
  useEffect(() => {
    if (!open) return;
    const close = () => onBack();
    dialogs.push(close);
    return () => void dialogs.splice(dialogs.indexOf(close), 1);
  }, [open]);
}

/** A router allows one: the first mounted blocks. */
export function LeaveBlocker() {
  const [self] = useState(() => Symbol('blocker'));
  const first = useSyncExternalStore(
    subscribe,
    () => mounted[0],
    () => undefined,
  );
  useEffect(() => {
    mount([...mounted, self]);
    return () => mount(mounted.filter((one) => one !== self));
  }, [self]);
  return first === self && <OnlyBlocker />;
}

function OnlyBlocker(): null {
  const asking = useRef([...guards]);
  const blocks: BlockerFunction = ({ currentLocation, nextLocation, historyAction }) => {
    const close = historyAction === NavigationType.Pop ? dialogs.at(-1) : undefined;
    // Closes once the router has restored the address.
    if (close) window.addEventListener('popstate', close, { once: true });
    asking.current = close
      ? []
      : [...guards].filter(({ left, covers }) => !left && covers(currentLocation, nextLocation));
    return close !== undefined || asking.current.length > 0;
  };
  const blocker = useBlocker(blocks);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (asking.current.length === 0) blocker.reset();
    else void agreed(asking.current).then((leaves) => (leaves ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  return null;
}
