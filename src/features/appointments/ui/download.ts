import type { Download } from './calendar-entry.ts';

export function download({ name, type, content }: Download): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL only after the click handler returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
