import { afterEach, expect, test } from 'vitest';
import { overlaps, sideways, smallTargets, strayText } from './measure.ts';

afterEach(() => document.body.replaceChildren());

test.for([
  ['scrolls sideways', sideways, '<p style="width: 3000px">Wide</p>', 'html around p “Wide”'],
  [
    'controls overlap',
    overlaps,
    '<button>One</button><button style="margin-left: -10px">Two</button>',
    'button “One” () and button “Two”',
  ],
  [
    'text cut off',
    strayText,
    '<p style="width: 50px; overflow: hidden; white-space: nowrap">Much too long</p>',
    'p “Much too long”',
  ],
  [
    'text outside its box',
    strayText,
    '<div style="height: 20px; border: 1px solid"><p style="width: 50px">Four lines of text</p></div>',
    'p “Four lines of text”',
  ],
  ['small target', smallTargets, '<button style="width: 30px; height: 50px">A</button>', '30×50 button “A”'],
] as const)('finds a flaw: %s', ([kind, measure, html, where]) => {
  document.body.innerHTML = html;
  expect(measure()).toMatchObject([{ kind }]);
  expect(measure()[0]!.where).toContain(where);
});

test.for([
  [
    'a scrolling tab list',
    '<div role="tablist" style="overflow: auto"><p style="width: 3000px">Tab</p></div>',
  ],
  ['text for screen readers', '<p class="sr-only" style="white-space: nowrap">Much too long</p>'],
  ['text that ends in an ellipsis', '<p class="w-10 truncate">Much too long</p>'],
  [
    'a bar above the page',
    '<a href="#" class="block size-11">Page</a><nav class="fixed top-0"><a href="#" class="block size-11">Bar</a></nav>',
  ],
  [
    'a button in a field',
    '<div class="relative h-12"><input class="size-full" /><button class="absolute top-0 right-0 size-11">Show</button></div>',
  ],
  ['a link in running text', '<p>Read <a href="#">our policy</a> first.</p>'],
  ['a control in a large label', '<label class="flex min-h-11"><input type="checkbox" /> Agree</label>'],
] as const)('accepts %s', ([, html]) => {
  document.body.innerHTML = html;
  expect([...sideways(), ...overlaps(), ...strayText(), ...smallTargets()]).toEqual([]);
});
