import type { CredentialLimits } from './contract.ts';

/** The contract's limits for forms, which don't load its shapes; the type holds the two together. */
export const credentialLimits: CredentialLimits = { number: 100, issuer: 200, region: 100, reason: 500 };

/** Whether a credential's last day (`YYYY-MM-DD`) is past on a day; one without an end never expires. */
export function isExpired(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today;
}
