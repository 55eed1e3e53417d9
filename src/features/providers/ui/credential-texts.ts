import { m } from '#/texts/messages.js';
import type { CredentialKind } from '../credentials/contract.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

export function credentialKindText(kind: CredentialKind): string {
  return kind === 'licence' ? m.credentials_kind_licence() : m.credentials_kind_ordination();
}

/** Formats a plain date without time zone conversion. */
export function credentialEndText(expiresOn: string | null): string {
  return expiresOn === null
    ? m.credentials_no_end()
    : m.credentials_until({ date: credentialEndDay(expiresOn) });
}

export function credentialEndDay(expiresOn: string | null): string {
  return expiresOn === null ? m.credentials_no_end() : day.format(new Date(`${expiresOn}T00:00:00Z`));
}

export function sentOnText(instant: string): string {
  return day.format(new Date(instant));
}
