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
