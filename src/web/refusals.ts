export interface Refusal {
  code: string;
  reason: string;
  requestId: string;
}

const listeners = new Set<(refusal: Refusal) => void>();

export function showRefusal(problem: unknown): void {
  if (typeof problem !== 'object' || problem === null) return;
  const { code, reason, requestId } = problem as Partial<Refusal>;
  if (code && reason && requestId) for (const listener of listeners) listener({ code, reason, requestId });
}

export function onRefusal(listener: (refusal: Refusal) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
