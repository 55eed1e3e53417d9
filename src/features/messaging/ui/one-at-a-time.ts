import { isRefusal } from '#/web/failures.ts';

/** In milliseconds. */
const retryDelay = 5_000;

/** Runs `work` once at a time per conversation; calls during a run trigger one more. Network errors are retried. */
export function oneAtATime(work: (conversationId: string) => Promise<void>) {
  const running = new Map<string, { again: boolean; done: Promise<void> }>();
  const run = (conversationId: string): Promise<void> => {
    const current = running.get(conversationId);
    if (current) {
      current.again = true;
      return current.done;
    }
    const state = { again: false, done: Promise.resolve() };
    running.set(conversationId, state);
    state.done = (async () => {
      try {
        do {
          state.again = false;
          await work(conversationId);
        } while (state.again);
      } catch (error) {
        // A refused request would fail again, so only retry network errors.
        if (!isRefusal(error)) setTimeout(() => void run(conversationId), retryDelay);
      } finally {
        running.delete(conversationId);
      }
    })();
    return state.done;
  };
  return run;
}
