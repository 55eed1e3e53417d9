export function barHeights(values: readonly number[], room: number, max = 1): number[] {
  const full = Math.max(max, ...values);
  return values.map((value) => (room * value) / full);
}
