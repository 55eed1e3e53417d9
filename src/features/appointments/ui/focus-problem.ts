const controls = [
  'td button:not(:disabled)',
  'input:checked',
  'select, input:not(:disabled)',
  '[tabindex="-1"]',
];

/** Focuses the first part marked `data-problem`: a day that can be chosen, a checked radio button or another field. */
export function focusFirstProblem(form: HTMLFormElement | null): void {
  const first = form?.querySelector('[data-problem]');
  const found = controls.map((one) => first?.querySelector<HTMLElement>(one)).find(Boolean);
  found?.focus();
  first?.scrollIntoView({ block: 'nearest' });
}
