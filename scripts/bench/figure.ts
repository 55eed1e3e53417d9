/** One measured figure with what it aims at. */
export interface Figure {
  name: string;
  value: string;
  aim: string;
  met: boolean;
  /** A miss of this one is a defect of the product, not a slow machine. */
  must?: boolean;
}

/** Prints figures as they come; one that misses its aim says so. */
export function print(figures: readonly Figure[]): void {
  for (const { name, value, aim, met, must } of figures) {
    console.log(`${met ? 'ok    ' : must ? 'DEFECT' : 'MISSED'}  ${name}: ${value}   (aim: ${aim})`);
  }
}
