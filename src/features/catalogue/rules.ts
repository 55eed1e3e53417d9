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
