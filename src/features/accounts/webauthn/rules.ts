/** Lifetime of a single-use challenge. */
export const challengeMinutes = 5;

/** What passkeys derive their secret from. The same for everyone, since sign-in asks before it knows the account. */
export const prfInput = 'italk.author-key';

/** Of new passkeys: Ed25519 and ES256, as COSE names them. Earlier ones may sign by RSA. */
export const algorithms = [-8, -7];
