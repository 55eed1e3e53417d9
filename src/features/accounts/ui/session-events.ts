/** As specified; the product uses only some. */
export type SessionEvent =
  | 'INITIAL_SESSION'
  | 'SIGNED_IN'
  | 'SIGNED_OUT'
  /** Use moved the session's end, perhaps in another tab. */
  | 'TOKEN_REFRESHED'
  | 'USER_UPDATED'
  /** An emailed link allows a new password. */
  | 'PASSWORD_RECOVERY'
  | 'MFA_CHALLENGE_VERIFIED';

type Listener = (event: SessionEvent) => void;

const listeners = new Set<Listener>();

export function onSessionEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function emitSessionEvent(event: SessionEvent): void {
  for (const listener of listeners) listener(event);
}
