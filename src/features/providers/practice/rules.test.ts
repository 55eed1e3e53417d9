import { expect, it } from 'vitest';
import { slugFor } from './rules.ts';

it.each([
  ['Dr. Sarah Whitfield', 'dr-sarah-whitfield'],
  ['Renée  O’Neil', 'renee-o-neil'],
  ['李明', 'specialist'],
  ['--', 'specialist'],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
])('%s has the page %s', (name, slug) => {
  expect(slugFor(name)).toBe(slug);
});
