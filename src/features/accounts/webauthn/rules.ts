/** Lifetime of a single-use challenge. */
export const challengeMinutes = 5;

/** PRF input, the same for everyone: sign-in doesn't know the account yet. */
export const prfInput = 'italk.author-key';

/** COSE: Ed25519 and ES256. Earlier passkeys may use RSA. */
export const algorithms = [-8, -7];
