import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joined, shiftFor } from './crc.ts';

it('combines checksums as if the bytes were concatenated', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
      expect(joined(crc32(a), crc32(b), shiftFor(b.length))).toBe(crc32(Buffer.concat([a, b])));
    }),
  );
});

it('matches the CRC-32 check value', () => {
  const [a, b] = [Buffer.from('1234'), Buffer.from('56789')];
  expect(joined(crc32(a), crc32(b), shiftFor(b.length))).toBe(0xcbf43926);
});
