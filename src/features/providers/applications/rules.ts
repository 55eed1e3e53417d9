import { eachOnce } from '#/kernel/text.ts';
import { m } from '#/texts/messages.js';
import { listingLimits } from '../profile/rules.ts';
import type { ApplicationLimits } from './contract.ts';

/** The contract's limits for forms, which don't load its shapes; the type holds the two together. */
export const applicationLimits: ApplicationLimits = {
  fullName: 200,
  phone: 40,
  specialization: 100,
  experience: 100,
  education: 200,
  educations: 12,
  location: 100,
  bio: 2_000,
  language: 60,
  languages: 12,
  services: 20,
  documents: 5,
  reason: 500,
};

/** The most that one document may have, in megabytes (of 1,048,576 bytes), as its bucket has it. */
export const documentMegabytes = 10;

/** What a document may be, for the browser's own picker. */
export const documentTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;

/** How long an uploaded document waits for its application, in hours. */
export const unsentHours = 24;

/** The languages that the forms offer (administrator spec, section 9). */
export const offeredLanguages = ['English', 'Spanish', 'French', 'German', 'Mandarin', 'Portuguese'] as const;

/** What kind of specialist somebody is, as the forms name it (administrator spec, section 9). */
export function typeText(type: 'doctor' | 'pastor'): string {
  return type === 'doctor' ? m.applications_type_doctor() : m.applications_type_pastor();
}

/** What a specialization lists by commas, one by one, as the directory keeps them. */
export function specialtiesOf(specialization: string): string[] {
  const parts = specialization
    .split(/[,;]/)
    .map((part) => part.trim().slice(0, listingLimits.specialty).trim());
  return eachOnce(parts.filter(Boolean)).slice(0, listingLimits.specialties);
}
