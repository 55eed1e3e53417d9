/** Lifetime of a single-use challenge. */
export const challengeMinutes = 5;

/** Of new passkeys: Ed25519 and ES256, as COSE names them. Earlier ones may sign by RSA. */
export const algorithms = [-8, -7];
