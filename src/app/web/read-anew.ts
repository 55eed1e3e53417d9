/** What had the focus is gone with the sign-in; the page is read from its heading. */
export function readAnew(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main h1')?.focus());
}
