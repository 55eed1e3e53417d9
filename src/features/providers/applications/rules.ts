import { m } from '#/texts/messages.js';

/** Maximum lengths in characters. */
export const applicationLimits = {
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
  reason: 500,
} as const;

/** Administrator spec, section 9. */
export const offeredLanguages = ['English', 'Spanish', 'French', 'German', 'Mandarin', 'Portuguese'] as const;

/** Returns the form label of a provider type (administrator spec, section 9). */
export function typeText(type: 'doctor' | 'pastor'): string {
  return type === 'doctor' ? m.applications_type_doctor() : m.applications_type_pastor();
}
