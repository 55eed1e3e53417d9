import { useSyncExternalStore } from 'react';

/** One prompt, shared by all waiting calls. */
interface Question {
  answered: Promise<boolean>;
  answer: (confirmed: boolean) => void;
}

let asked: Question | null = null;
const listeners = new Set<() => void>();

function ask(question: Question | null): void {
  asked = question;
  for (const listener of listeners) listener();
}

/** Prompts for reauthentication; resolves to false if canceled. */
export function askToReauthenticate(): Promise<boolean> {
  if (!asked) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    ask({ answered: promise, answer: resolve });
  }
  return asked!.answered;
}

export function endReauthentication(confirmed: boolean): void {
  asked?.answer(confirmed);
  ask(null);
}

export function useReauthenticationAsked(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => asked !== null,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
