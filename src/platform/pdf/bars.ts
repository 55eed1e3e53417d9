/** The height of each bar, where the largest value, or `most` if that is more, is as high as there is room. */
export function barHeights(values: readonly number[], room: number, most = 1): number[] {
  const full = Math.max(most, ...values);
  return values.map((value) => (room * value) / full);
}
