/** Maximum lengths in characters. */
export const credentialLimits = { number: 100, issuer: 200, region: 100, reason: 500 } as const;
