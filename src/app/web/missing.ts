/**
 * Whether what a loader asked for isn't there, or is asked for by what can't be its address. The server's errors are of
 * its own classes, so they are known by code.
 */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'not_found' || error.code === 'invalid')
  );
}

/** Whether what a loader asked for belongs to a feature that is switched off; whoever may know of it is told so by its page. */
export function isOff(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'feature_off';
}

/** Takes what isn't there for null, and lets every other error go on. */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
