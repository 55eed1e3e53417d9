import type { Download } from './calendar-entry.ts';

/** Hands a file to the browser, as if its link had been pressed. */
export function download({ name, type, content }: Download): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read it only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
