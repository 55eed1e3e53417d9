export function barHeights(values: readonly number[], room: number, most = 1): number[] {
  const full = Math.max(most, ...values);
  return values.map((value) => (room * value) / full);
}
