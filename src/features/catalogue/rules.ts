import type { ServiceCategory, ServiceLimits } from './contract.ts';

/** The contract's limits for forms, which don't load its shapes; the type holds the two together. */
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

/** The categories in the order of the administrator spec, section 5. */
export const serviceCategories = Object.keys(categories) as ServiceCategory[];

const whole = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** A price in US dollars as people read it, such as `$120` or `$62.50`; takes cents. */
export function priceText(cents: number): string {
  return (cents % 100 === 0 ? whole : exact).format(cents / 100);
}

/** The mean of prices in whole dollars, such as `$113`; null where there are none. Takes cents. */
export function averagePriceText(cents: readonly number[]): string | null {
  if (cents.length === 0) return null;
  return whole.format(cents.reduce((sum, one) => sum + one, 0) / cents.length / 100);
}

/** The number that somebody typed, as people write amounts (`$1,200.50`, `45 min`); null where it can't be read. */
export function readNumber(text: string): number | null {
  const number = Number.parseFloat(text.replaceAll(/[$,\s]/g, ''));
  return Number.isFinite(number) ? number : null;
}

/** The id of a new service, which stands in its address: its title's letters and figures, and a number where that is taken. */
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
