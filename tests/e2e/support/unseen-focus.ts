export function unseenFocus(): string | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'nothing has the focus';
  // Browsers style the inner parts of date and time fields themselves.
  if (focused instanceof HTMLInputElement && ['date', 'time'].includes(focused.type)) return null;
  const name = `${focused.tagName} “${(focused.getAttribute('aria-label') ?? focused.textContent).trim().slice(0, 60)}”`;
  if (!focused.matches(':focus-visible')) return `${name} doesn’t show its focus`;
  const marked = [focused, focused.closest('label')].some((element) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  });
  if (!marked) return `${name} has no outline`;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const inset = 3;
  const points = [
    [(left + right) / 2, (top + bottom) / 2],
    [left + inset, top + inset],
    [right - inset, bottom - inset],
  ] as const;
  const label = focused.closest('label');
  const seen = points.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit && (focused.contains(hit) || (label?.contains(hit) ?? false));
  });
  return seen ? null : `${name} is out of sight or covered`;
}
