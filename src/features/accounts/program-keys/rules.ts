/** Minutes an access token works. */
export const accessMinutes = 5;

/** Minutes a program may cache the key set. */
export const keySetMinutes = 10;

/** Days a key signs. */
const keyDays = 30;

/** Minutes that a new key is published before it signs, so every cached key set has it. */
const publishedMinutes = keySetMinutes + 5;

/** Audience of a sign-in that waits for its second factor: services that check it refuse such tokens. */
export const waitingAudience = 'second-factor';

/** Values that the published client expects. */
export const fullAudience = 'authenticated';

/** A token's issuer and audience. */
export function partiesOf<Audience>(
  appUrl: string,
  audience: Audience,
): { issuer: string; audience: Audience } {
  return { issuer: `${appUrl}/auth/v1`, audience };
}

/** Returns seconds since 1970, as used in tokens. */
export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

interface Dated {
  madeAt: Temporal.Instant;
}

/** Returns the key that signs: the newest that is published long enough, otherwise the first one. `keys` are newest first. */
export function signingKey<Key extends Dated>(keys: readonly Key[], now: Temporal.Instant): Key | undefined {
  return keys.find(({ madeAt }) => isOlder(madeAt, now, { minutes: publishedMinutes })) ?? keys.at(-1);
}

export function needsNewKey(keys: readonly Dated[], now: Temporal.Instant): boolean {
  return keys.every(({ madeAt }) => isOlder(madeAt, now, { hours: keyDays * 24 }));
}

/** Returns keys whose last tokens have expired, since a newer key has signed for longer than a token works. */
export function expiredKeys<Key extends Dated>(keys: readonly Key[], now: Temporal.Instant): Key[] {
  const signing = keys.findIndex(({ madeAt }) =>
    isOlder(madeAt, now, { minutes: publishedMinutes + 2 * accessMinutes }),
  );
  return signing < 0 ? [] : keys.slice(signing + 1);
}

function isOlder(madeAt: Temporal.Instant, now: Temporal.Instant, than: Temporal.DurationLike): boolean {
  return Temporal.Instant.compare(madeAt.add(than), now) <= 0;
}
