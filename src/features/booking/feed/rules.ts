/** Where a private calendar is read: `/calendar/{token}.ics`. */
export function feedPath(token: string): string {
  return `/calendar/${token}.ics`;
}

/** How far back a calendar goes, and how far ahead, in days: longer than anything can be booked ahead. */
export const feedReach = { back: 90, ahead: 800 } as const;

/** Whether a request brings the tag that the answer has now (RFC 9110, section 13.1.2). */
export function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const weak = (one: string) => one.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || weak(one) === weak(tag));
}
