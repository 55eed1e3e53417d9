import { formatDate } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import type { CredentialKind } from '../credentials/contract.ts';

export function credentialKindText(kind: CredentialKind): string {
  return kind === 'licence' ? m.credentials_kind_license() : m.credentials_kind_ordination();
}

/** Formats a plain date without time zone conversion. */
export function credentialEndText(expiresOn: string | null): string {
  return expiresOn === null
    ? m.credentials_no_end()
    : m.credentials_until({ date: credentialEndDay(expiresOn) });
}

export function credentialEndDay(expiresOn: string | null): string {
  return expiresOn === null ? m.credentials_no_end() : formatDate(expiresOn, { dateStyle: 'long' });
}
