/** Lifetime of a single-use challenge. */
export const challengeMinutes = 5;

/** Ed25519, ES256 and RS256, as COSE names them. */
export const algorithms = [-8, -7, -257];
