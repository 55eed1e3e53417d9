/**
 * Whether what a loader asked for isn't there, or is asked for by what can't be its address. The server's errors are of
 * its own classes, so they are known by code.
 */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'not_found' || error.code === 'invalid')
  );
}

/** Takes what isn't there for null, and lets every other error go on. */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
