import type { Flaw } from '../support/shown-state.ts';

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const controls =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=radio], [role=checkbox], [role=switch], [role=option], [role^=menuitem]';
/** WCAG 2.2, 2.5.5, in CSS pixels. */
const target = 44;
/** Glyphs may rise above their line, and borders are rounded to pixels. */
const slack = { across: 2, along: 4 };

/** Elements that overflow horizontally. */
export function sideways(): Flaw[] {
  return [document.documentElement, ...document.body.querySelectorAll('*')]
    .filter((one) => one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX))
    .filter((one) => one.scrollWidth > one.clientWidth && one.role !== 'tablist' && !one.matches('nav > ul'))
    .map((one) => ({ kind: 'scrolls sideways', where: `${one.localName} around ${named(widest(one))}` }));
}

/** The innermost element that reaches furthest to the right. */
function widest(around: Element): Element {
  const right = (one: Element) => Math.round(visibleBox(one).right);
  const inside = [...around.querySelectorAll('body *')].filter(isShown);
  return inside.reduce((far, one) => (right(one) >= right(far) ? one : far), inside[0] ?? around);
}

/** Controls that cover each other. Bars and lists of choices lie above the page: only controls of one layer count. */
export function overlaps(): Flaw[] {
  const placed = shownControls()
    .map((one) => ({ one, box: visibleBox(one), layer: layerOf(one) }))
    .filter(({ box }) => box.right - box.left > 2 && box.bottom - box.top > 2)
    .toSorted((a, b) => a.box.top - b.box.top);
  const found: Flaw[] = [];
  for (const [index, a] of placed.entries()) {
    for (const b of placed.slice(index + 1)) {
      if (b.box.top > a.box.bottom) break;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const along = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across <= slack.across || along <= slack.across || a.layer !== b.layer) continue;
      if (a.one.contains(b.one) || b.one.contains(a.one) || liesOn(a, b) || liesOn(b, a)) continue;
      found.push({ kind: 'controls overlap', where: `${named(a.one)} and ${named(b.one)}` });
    }
  }
  return found;
}

/** Text that is cut off by its container or leaves the box it was drawn in. */
export function strayText(): Flaw[] {
  const found: Flaw[] = [];
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (one: Element) => {
    if (!styles.has(one)) styles.set(one, getComputedStyle(one));
    return styles.get(one)!;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { parentElement: parent, data } = texts.currentNode as Text;
    if (!parent || !data.trim() || parent.closest('svg, option, noscript') || !isShown(parent)) continue;
    range.selectNodeContents(texts.currentNode);
    const text = range.getBoundingClientRect();
    for (let one: Element | null = parent; one && one !== document.body; one = one.parentElement) {
      const style = styleOf(one);
      // For screen readers only.
      if (style.position === 'absolute' && one.clientWidth <= 1) break;
      if (/auto|scroll/.test(style.overflowX + style.overflowY) || isClamped(style)) break;
      const kind = strays(text, one, style);
      if (kind) found.push({ kind, where: named(parent) });
      if (kind || /absolute|fixed/.test(style.position)) break;
    }
  }
  return found;
}

function strays(text: Box, one: Element, style: CSSStyleDeclaration): Flaw['kind'] | null {
  if (style.display === 'inline' || style.display === 'contents') return null;
  const clips = /hidden|clip/.test(style.overflowX + style.overflowY);
  const drawn =
    style.backgroundColor !== 'rgba(0, 0, 0, 0)' || Number.parseFloat(style.borderBottomWidth) > 0;
  if (!clips && !drawn && !one.matches(controls)) return null;
  const box = one.getBoundingClientRect();
  const across = Math.max(box.left - text.left, text.right - box.right);
  const along = Math.max(box.top - text.top, text.bottom - box.bottom);
  if (across <= slack.across && along <= slack.along) return null;
  return clips ? 'text cut off' : 'text outside its box';
}

/** Ellipsis is meant. */
function isClamped(style: CSSStyleDeclaration): boolean {
  return style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
}

/** Controls too small for a finger, except links in running text. Hit areas may be larger than what is drawn. */
export function smallTargets(): Flaw[] {
  const top = document.documentElement.scrollTop;
  const small = shownControls().filter((one) => {
    const { width, height } = targetOf(one).getBoundingClientRect();
    if (width <= 1 || height <= 1 || isInline(one) || fillsCard(one)) return false;
    // The slider below does the same.
    if (one.matches('.ReactCrop__drag-handle')) return false;
    // Seven days must fit across a phone.
    const narrowest = one.closest('[role=grid], .grid-cols-7') ? 24 : target;
    return (width < narrowest - 0.5 || height < target - 0.5) && !isHitAround(targetOf(one));
  });
  document.documentElement.scrollTop = top;
  return small.map((one) => {
    const { width, height } = targetOf(one).getBoundingClientRect();
    return { kind: 'small target', where: `${Math.round(width)}×${Math.round(height)} ${named(one)}` };
  });
}

function isHitAround(one: Element): boolean {
  one.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = one.getBoundingClientRect();
  const middle = { x: left + width / 2, y: top + height / 2 };
  const reach = target / 2 - 1;
  return [
    [Math.min(-reach, -width / 2 + 1), 0],
    [Math.max(reach, width / 2 - 1), 0],
    [0, Math.min(-reach, -height / 2 + 1)],
    [0, Math.max(reach, height / 2 - 1)],
  ].every(([x, y]) => {
    const hit = document.elementFromPoint(middle.x + x!, middle.y + y!);
    return hit !== null && (one.contains(hit) || hit.closest('label')?.control === one);
  });
}

/** A link whose pseudo-element covers the card around it. */
function fillsCard(one: Element): boolean {
  return getComputedStyle(one, '::after').position === 'absolute';
}

/** A label enlarges its control. */
function targetOf(one: Element): Element {
  return one.closest('label') ?? one;
}

function isInline(one: Element): boolean {
  if (getComputedStyle(one).display !== 'inline') return false;
  return (one.parentElement?.textContent?.trim().length ?? 0) > (one.textContent?.trim().length ?? 0);
}

function shownControls(): Element[] {
  return [...document.body.querySelectorAll(controls)].filter(isShown);
}

/** In the page or, if one is open, in the dialog; not only for screen readers. */
function isShown(one: Element): boolean {
  if (one.closest('body > [aria-hidden=true], [inert], [data-radix-focus-guard], .sr-only')) return false;
  return one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

/** The part that isn't cut away by containers. */
function visibleBox(one: Element): Box {
  let { left, top, right, bottom } = one.getBoundingClientRect();
  for (let above = one.parentElement; above && above !== document.body; above = above.parentElement) {
    if (!/auto|scroll|hidden|clip/.test(getComputedStyle(above).overflow)) continue;
    const box = above.getBoundingClientRect();
    [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
    [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
  }
  return { left, top, right, bottom };
}

function layerOf(one: Element): Element | null {
  for (let above: Element | null = one; above; above = above.parentElement)
    if (above.role === 'listbox' || /fixed|sticky/.test(getComputedStyle(above).position)) return above;
  return null;
}

/** Drawn on another control on purpose, such as the button in a password field. */
function liesOn(upper: { box: Box }, lower: { one: Element; box: Box }): boolean {
  const [a, b] = [upper.box, lower.box];
  const inside =
    a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const hit = document.elementFromPoint((a.left + a.right) / 2, (a.top + a.bottom) / 2);
  return inside && !lower.one.contains(hit);
}

function named(one: Element): string {
  const name = one.getAttribute('aria-label') ?? one.textContent ?? '';
  const kind = [one.localName, one.getAttribute('role') ?? one.getAttribute('type')]
    .filter(Boolean)
    .join(' ');
  return `${kind} “${name.trim().replaceAll(/\s+/g, ' ').slice(0, 50)}” (${one.getAttribute('class')?.slice(0, 60) ?? ''})`;
}
