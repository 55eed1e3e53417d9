import { m } from '#/texts/messages.js';
import type { FieldTexts } from '#/web/failures.ts';
import type { CredentialKind } from '../credentials/contract.ts';
import { checkExpiry } from './provider-form.ts';
import { allWords, type WordListValue } from './word-list.tsx';

/** Fields that applicants and administrators fill in. */
export interface ApplicationValues {
  fullName: string;
  /** Only filled in by administrators, as is `inPerson`. */
  email: string;
  phone: string;
  type: 'doctor' | 'pastor' | null;
  specialization: string;
  experience: string;
  education: WordListValue;
  location: string;
  timeZone: string;
  bio: string;
  serviceIds: string[];
  languages: string[];
  inPerson: boolean;
  credentialKind: CredentialKind;
  number: string;
  issuer: string;
  region: string;
  expiresOn: string;
}

export function emptyApplication(timeZone: string): ApplicationValues {
  return {
    fullName: '',
    email: '',
    phone: '',
    type: null,
    specialization: '',
    experience: '',
    education: { words: [], typing: '' },
    location: '',
    timeZone,
    bio: '',
    serviceIds: [],
    languages: [],
    inPerson: false,
    credentialKind: 'licence',
    number: '',
    issuer: '',
    region: '',
    expiresOn: '',
  };
}

/** The part that both procedures share. */
export function profileOf(values: ApplicationValues) {
  const { fullName, phone, specialization, experience, location, timeZone, bio, serviceIds, languages } =
    values;
  return {
    fullName,
    phone,
    type: values.type!,
    specialization,
    experience,
    education: allWords(values.education),
    location,
    timeZone,
    bio,
    serviceIds,
    languages,
  };
}

export function credentialOf({ credentialKind, number, issuer, region, expiresOn }: ApplicationValues) {
  return { credentialKind, number, issuer, region, ...(expiresOn === '' ? {} : { expiresOn }) };
}

export function checkApplication(values: ApplicationValues): FieldTexts {
  return { ...(values.type === null ? { type: m.applications_type_missing() } : {}), ...checkExpiry(values) };
}
