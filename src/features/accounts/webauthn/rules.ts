/** Minutes in which a challenge can be answered, once. */
export const challengeMinutes = 5;

/** Ed25519, ES256 and RS256, as COSE names them. */
export const algorithms = [-8, -7, -257];
