import { expect, test } from 'vitest';
import * as shown from '../ui/attachment-limits.ts';
import { largestAttachment } from './contract.ts';

test('the page knows the largest file as the contract has it', () => {
  expect(shown.largestAttachment).toBe(largestAttachment);
});
