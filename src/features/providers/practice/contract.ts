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

export type ListingLimits = typeof listingLimits;
