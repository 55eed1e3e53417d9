import { m } from '#/texts/messages.js';

/** Maximum lengths in characters. */
export const credentialLimits = { number: 100, issuer: 200, region: 100, reason: 500 } as const;

/** Maximum lengths in characters; `places` includes closed ones. */
export const placeLimits = { name: 100, address: 300, town: 100, directions: 1_000, places: 30 } as const;

/** Leaves room for a suffix within 80 characters. */
const longest = 64;

/** Builds a slug: `Dr. Renée O'Neil` becomes `dr-renee-o-neil`; names without Latin letters become `specialist`. */
export function slugFor(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
  return words || 'specialist';
}

/** Whether a credential's last valid day (`YYYY-MM-DD`) is before `today`. Null never expires. */
export function isExpired(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today;
}

/** A doctor is licensed, a pastor ordained. */
export type ProviderKind = 'doctor' | 'pastor';

export function kindText(kind: ProviderKind): string {
  return kind === 'doctor' ? m.therapists_kind_licensed() : m.therapists_kind_ordained();
}

/** Maximum lengths in characters, and maximum list entries. */
export const listingLimits = {
  title: 100,
  specialty: 60,
  specialties: 12,
  experience: 100,
  location: 100,
  bio: 2_000,
  education: 200,
  educations: 12,
  approach: 1_000,
  language: 60,
  languages: 12,
  tradition: 60,
  traditions: 12,
  services: 20,
  phone: 40,
} as const;
