export function feedPath(token: string): string {
  return `/calendar/${token}.ics`;
}

/** Days covered; `ahead` exceeds the booking horizon. */
export const feedReach = { back: 90, ahead: 800 } as const;

/** Whether If-None-Match names the tag (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  const weak = (one: string) => one.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || weak(one) === weak(tag));
}
