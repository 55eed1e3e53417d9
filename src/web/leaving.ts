import { useEffect, useEffectEvent, useRef } from 'react';
import { NavigationType, useBlocker, type BlockerFunction, type Location } from 'react-router';

interface Guard {
  covers: (from: Location, to: Location) => boolean;
  ask: () => Promise<boolean>;
  /** Asks nothing more. */
  left?: boolean;
}

const guards = new Set<Guard>();
const dialogs: (() => void)[] = [];

/**
 * Runs an action that ends the page without navigating, such as signing out. Resolves to false if it fails or the
 * person stays.
 */
export async function leave(act: () => Promise<boolean>): Promise<boolean> {
  const asking = [...guards];
  const left = (await agreed(asking)) && (await act());
  for (const guard of asking) guard.left = left;
  return left;
}

/** Asks before `leave` and covered navigation. Returns a release function. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
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

/** The router's only blocker. */
export function LeaveBlocker(): null {
  const asking = useRef<Guard[]>([]);
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

async function agreed(asking: readonly Guard[]): Promise<boolean> {
  for (const guard of asking) if (!(await guard.ask())) return false;
  return true;
}
