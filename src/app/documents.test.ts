import { expect, test } from 'vitest';
import { isDocument } from './documents.ts';

const document = (path: string) => isDocument(new URL(path, 'https://italk.test'));

test.each(['/', '/therapists', '/therapists?kind=pastor&page=2', '/therapists/dr-ada?reviews=2'])(
  'holds back the script of %s',
  (path) => expect(document(path)).toBe(true),
);

test.each(['/contact', '/therapists/match', '/therapists?book=7', '/?auth=1', '/home', '/therapists.data'])(
  'starts the script of %s at once',
  (path) => expect(document(path)).toBe(false),
);
