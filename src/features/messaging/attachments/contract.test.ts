import { expect, test } from 'vitest';
import * as shown from '../ui/attachment-limits.ts';
import { largestAttachment } from './contract.ts';

test('uses the contract’s maximum attachment size on the page', () => {
  expect(shown.largestAttachment).toBe(largestAttachment);
});
