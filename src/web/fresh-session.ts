import { useSyncExternalStore } from 'react';

/** One question to the person, however many calls wait for its answer. */
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

/** Has the person confirm who they are; false if they would rather not. */
export function askToReauthenticate(): Promise<boolean> {
  if (!asked) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    ask({ answered: promise, answer: resolve });
  }
  return asked!.answered;
}

/** Answers those who wait. */
export function endReauthentication(confirmed: boolean): void {
  asked?.answer(confirmed);
  ask(null);
}

/** Whether something waits until the person has confirmed who they are. */
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
