import { expect, test } from 'vitest';
import { classifyFault, maskedAddress } from './rules.ts';

test.each([
  ['no_answer', 'unreachable'],
  ['expired', 'expired'],
  ['550', 'address'],
  ['550 5.1.1', 'address'],
  ['550 5.2.1', 'address'],
  ['550 5.7.1', 'blocked'],
  ['552', 'full'],
  ['552 5.2.2', 'full'],
  ['552 5.3.4', 'too_large'],
  ['554', 'blocked'],
  ['554 5.2.2', 'full'],
  ['571', 'other'],
])('%s is told as %s', (fault, told) => {
  expect(classifyFault(fault)).toBe(told);
});

test.each([
  ['naomi@people.example', 'na•••@people.example'],
  ['ann@people.example', 'a•••@people.example'],
  ['"a@b"@people.example', '"a•••@people.example'],
  ['nobody', '•••'],
])('%s is hinted at as %s', (address, hint) => {
  expect(maskedAddress(address)).toBe(hint);
});
