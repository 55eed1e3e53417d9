/**
 * Seconds that a used refresh token still gets its successor, in case the app lost the response or asked twice at once.
 */
const graceSeconds = 10;

/** Minutes that a password or code typed into a program counts as just typed. */
const recentMinutes = 5;

/** Minutes to set the new password after a recovery link. */
export const recoveryMinutes = 10;

/** Returns true if a repeated use is recent enough to be a race, not a replay. */
export function isRace(usedAt: Date, now: Temporal.Instant): boolean {
  return now.epochMilliseconds - usedAt.getTime() <= graceSeconds * 1000;
}

/** Returns true if the proof is recent and the token was issued after it (seconds since 1970). */
export function isProven(at: Date | null, issuedAt: number, now: Temporal.Instant): boolean {
  return (
    at !== null &&
    now.epochMilliseconds - at.getTime() <= recentMinutes * 60_000 &&
    issuedAt >= Math.floor(at.getTime() / 1000)
  );
}

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerIn(authorization: string | null): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
