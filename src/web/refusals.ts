/** What the API refused, in its closed words. */
export interface Refusal {
  code: string;
  reason: string;
  requestId: string;
}

const listeners = new Set<(refusal: Refusal) => void>();

/** Tells whoever listens what was refused. */
export function tellRefusal(problem: unknown): void {
  if (typeof problem !== 'object' || problem === null) return;
  const { code, reason, requestId } = problem as Partial<Refusal>;
  if (code && reason && requestId) for (const listener of listeners) listener({ code, reason, requestId });
}

/** Calls `listener` with each refusal, until the answer is called. */
export function onRefusal(listener: (refusal: Refusal) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
