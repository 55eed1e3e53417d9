import { expect, test } from 'vitest';
import { refusalOf } from '../../tests/support/refusal.ts';
import { upload } from './upload.ts';

test.each([
  ['empty', 0, 'file_empty'],
  ['too large', 11, 'file_too_large'],
])('a file that is %s is refused before anything of it is sent', async (_, bytes, reason) => {
  // There is nothing here to send it with.
  expect(globalThis).not.toHaveProperty('XMLHttpRequest');
  const file = new File([new Uint8Array(bytes)], 'a.pdf');
  const refusal = await refusalOf(upload('/api/resource-files', file, 10, () => undefined).done);
  expect(refusal.fields).toEqual([{ field: 'file', reason }]);
});
