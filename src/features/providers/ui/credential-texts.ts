import { m } from '#/texts/messages.js';
import type { CredentialKind } from '../credentials/contract.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** What a credential is, in a word. */
export function credentialKindText(kind: CredentialKind): string {
  return kind === 'licence' ? m.credentials_kind_licence() : m.credentials_kind_ordination();
}

/** How long it holds; the day is a plain date. */
export function credentialEndText(expiresOn: string | null): string {
  return expiresOn === null
    ? m.credentials_no_end()
    : m.credentials_until({ date: credentialEndDay(expiresOn) });
}

/** The last day on which it holds, a plain date, in words. */
export function credentialEndDay(expiresOn: string | null): string {
  return expiresOn === null ? m.credentials_no_end() : day.format(new Date(`${expiresOn}T00:00:00Z`));
}

/** A day as people read it, of an instant. */
export function sentOnText(instant: string): string {
  return day.format(new Date(instant));
}
