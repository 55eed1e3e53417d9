/** One measured figure with what it aims at. */
export interface Figure {
  name: string;
  value: string;
  aim: string;
  met: boolean;
}

/** Prints figures as they come; one that misses its aim says so. */
export function print(figures: readonly Figure[]): void {
  for (const { name, value, aim, met } of figures) {
    console.log(`${met ? 'ok    ' : 'MISSED'}  ${name}: ${value}   (aim: ${aim})`);
  }
}
