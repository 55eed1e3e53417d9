import { eachOnce } from '#/kernel/text.ts';
import { listingLimits } from '../practice/rules.ts';

export function specialtiesOf(specialization: string): string[] {
  const parts = specialization
    .split(/[,;]/)
    .map((part) => part.trim().slice(0, listingLimits.specialty).trim());
  return eachOnce(parts.filter(Boolean)).slice(0, listingLimits.specialties);
}
