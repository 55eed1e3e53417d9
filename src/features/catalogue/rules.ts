/** In characters, minutes or cents. */
export const serviceLimits = {
  title: 100,
  description: 1_000,
  shortest: 15,
  longest: 240,
  dearestCents: 1_000_000,
  services: 100,
} as const;

/** Administrator spec, section 5, in its order. */
export const serviceCategories = [
  'Individual Healing',
  'Strengthening Bonds',
  'Community Support',
  'Spiritual Guidance',
  'Crisis Intervention',
] as const;

export type ServiceCategory = (typeof serviceCategories)[number];

const whole = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Formats cents as `$120` or `$62.50`. */
export function priceText(cents: number): string {
  return (cents % 100 === 0 ? whole : exact).format(cents / 100);
}

/** In whole dollars (`$113`); null for none. */
export function averagePriceText(cents: readonly number[]): string | null {
  if (cents.length === 0) return null;
  return whole.format(cents.reduce((sum, one) => sum + one, 0) / cents.length / 100);
}

/** Parses typed amounts: `$1,200.50`, `45 min`. Null if unreadable. */
export function readNumber(text: string): number | null {
  const number = Number.parseFloat(text.replaceAll(/[$,\s]/g, ''));
  return Number.isFinite(number) ? number : null;
}

/** A URL slug, numbered if taken. */
export function serviceIdFrom(title: string, taken: readonly string[]): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replaceAll(/^-|-$/g, '');
  const first = words || 'service';
  for (let number = 1; ; number++) {
    const id = number === 1 ? first : `${first}-${number}`;
    if (!taken.includes(id)) return id;
  }
}
