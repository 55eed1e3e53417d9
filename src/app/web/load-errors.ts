/**
 * Returns whether a loader's target doesn't exist or its URL parameter is malformed. Checks codes, since server errors
 * use a different class.
 */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'not_found' || error.code === 'invalid')
  );
}

/** Returns whether the error means a disabled feature; permitted people see a notice about it. */
export function isOff(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'feature_off';
}

export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
