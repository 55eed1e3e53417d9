/** Seconds a used refresh token still gets its successor: an app may have lost the answer, or asked twice at once. */
const graceSeconds = 10;

/** Minutes that a password or code typed into a program counts as just typed. */
const recentMinutes = 5;

/** Minutes for the new password after a recovery link, as for the link itself in the browser. */
export const recoveryMinutes = 10;

/** Returns true if a repeated use is recent enough to be a race, not a replay. */
export function isRace(usedAt: Date, now: Temporal.Instant): boolean {
  return now.epochMilliseconds - usedAt.getTime() <= graceSeconds * 1000;
}

/** Returns true for a proof of these minutes that the token, issued at a second since 1970, is from after. */
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
