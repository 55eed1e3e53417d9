export interface Figure {
  name: string;
  value: string;
  aim: string;
  met: boolean;
  /** Missing this aim means a product defect, not a slow machine. */
  must?: boolean;
}

export function print(figures: readonly Figure[]): void {
  for (const { name, value, aim, met, must } of figures) {
    console.log(`${met ? 'ok    ' : must ? 'DEFECT' : 'MISSED'}  ${name}: ${value}   (aim: ${aim})`);
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
