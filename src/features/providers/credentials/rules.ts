import type { CredentialLimits } from './contract.ts';

/** Copied from the contract, whose schemas forms don't bundle. The type keeps both in sync. */
export const credentialLimits: CredentialLimits = { number: 100, issuer: 200, region: 100, reason: 500 };
