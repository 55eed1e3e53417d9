import { expect, test } from 'vitest';
import { refusalOf } from '../../tests/support/refusal.ts';
import { upload } from './upload.ts';

test.each([
  ['empty', 0, 'file_empty'],
  ['too large', 11, 'file_too_large'],
])('rejects a file that is %s before sending anything', async (_, bytes, reason) => {
  // Node has no XMLHttpRequest to send with.
  expect(globalThis).not.toHaveProperty('XMLHttpRequest');
  const file = new File([new Uint8Array(bytes)], 'a.pdf');
  const refusal = await refusalOf(upload('/api/resource-files', file, 10, () => undefined).done);
  expect(refusal.fields).toEqual([{ field: 'file', reason }]);
});
