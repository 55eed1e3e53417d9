/** The longest that a page's address begins with, so that a number fits behind it (the table's limit is 80). */
const longest = 64;

/** The address of a person's page from their name: `Dr. Renée O'Neil` gives `dr-renee-o-neil`; a name without Latin letters gives `specialist`. */
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
