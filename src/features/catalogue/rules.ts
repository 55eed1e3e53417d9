import type { ServiceCategory, ServiceLimits } from './contract.ts';

/** Copied for forms, which don't load schemas. The type keeps both copies in sync. */
export const serviceLimits: ServiceLimits = {
  title: 100,
  description: 1_000,
  shortest: 15,
  longest: 240,
  dearestCents: 1_000_000,
  services: 100,
};

const categories: Readonly<Record<ServiceCategory, true>> = {
  'Individual Healing': true,
  'Strengthening Bonds': true,
  'Community Support': true,
  'Spiritual Guidance': true,
  'Crisis Intervention': true,
};

/** Administrator spec, section 5, in its order. */
export const serviceCategories = Object.keys(categories) as ServiceCategory[];

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

/** Averages cents into whole dollars (`$113`). Null for an empty list. */
export function averagePriceText(cents: readonly number[]): string | null {
  if (cents.length === 0) return null;
  return whole.format(cents.reduce((sum, one) => sum + one, 0) / cents.length / 100);
}

/** Parses typed amounts: `$1,200.50`, `45 min`. Null if unreadable. */
export function readNumber(text: string): number | null {
  const number = Number.parseFloat(text.replaceAll(/[$,\s]/g, ''));
  return Number.isFinite(number) ? number : null;
}

/** Builds a URL slug; adds a numeric suffix if taken. */
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
