import { argon2 } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { AppError } from '#/kernel/errors.ts';
import { arriving } from '../../../tests/support/bytes.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { cleaned, reencodeImage, type Crop } from './image.ts';

const portrait = (body: Uint8Array | ReadableStream<Uint8Array>, crop: Crop | null = null) =>
  reencodeImage({ ownerId: 'person', body }, { width: 512, height: 512 }, crop);

/** Red left half, blue right half. */
function halves(width: number, height: number) {
  const right = { create: { width: width / 2, height, channels: 3 as const, background: '#00f' } };
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: right, left: width / 2, top: 0 },
  ]);
}

async function pixel(picture: Uint8Array, left: number, top: number): Promise<'red' | 'blue'> {
  const [red = 0, , blue = 0] = await sharp(picture)
    .removeAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer();
  return red > blue ? 'red' : 'blue';
}

describe('a portrait', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'is converted from %s to a 512 by 512 pixel WebP',
    async (format) => {
      const photo = await halves(800, 600).toFormat(format).toBuffer();
      const made = await portrait(arriving(photo));
      const { format: kept, width, height } = await sharp(made).metadata();
      expect([kept, width, height]).toEqual(['webp', 512, 512]);
      expect([await pixel(made, 100, 256), await pixel(made, 400, 256)]).toEqual(['red', 'blue']);
    },
  );

  test('strips location and camera data', { tags: ['long'] }, async () => {
    const photo = await halves(800, 600)
      .jpeg()
      .withExif({
        IFD0: { Make: 'Private Camera', Artist: 'Naomi Weiss' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitude: '0/1 7/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Naomi Weiss</x:xmpmeta>')
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    expect(photo.includes('Private Camera')).toBe(true);
    const made = Buffer.from(await portrait(photo));
    const { exif, xmp, iptc, icc, orientation } = await sharp(made).metadata();
    expect([exif, xmp, iptc, icc, orientation]).toEqual(Array.from({ length: 5 }));
    for (const word of ['Private', 'Naomi', 'Exif', 'EXIF', 'XMP']) expect(made.includes(word)).toBe(false);
  });

  test('is rotated upright for any camera orientation', { tags: ['long'] }, async () => {
    // Orientation 6 rotates right: the left edge ends up on top.
    const photo = await halves(800, 600).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const turned = await sharp(photo).metadata();
    expect(turned.orientation).toBe(6);
    const made = await portrait(photo);
    expect([await pixel(made, 256, 100), await pixel(made, 256, 400)]).toEqual(['red', 'blue']);
  });

  test('shows the selected square, clamped to the image', { tags: ['long'] }, async () => {
    const photo = await halves(800, 400).png().toBuffer();
    const left = await portrait(photo, { left: 0, top: 0, side: 0.5 });
    const right = await portrait(photo, { left: 0.75, top: 0.25, side: 0.5 });
    const beyond = await portrait(photo, { left: 7, top: -1, side: Number.NaN });
    expect([await pixel(left, 500, 500), await pixel(right, 5, 5), await pixel(beyond, 5, 5)]).toEqual([
      'red',
      'blue',
      'blue',
    ]);
  });
});

describe('an image with another aspect ratio', () => {
  test.each([
    [800, 400],
    [400, 800],
    [1_600, 900],
    [3, 3],
    [1, 900],
  ])('is cropped from the middle of %i by %i pixels', async (width, height) => {
    const picture = sharp({ create: { width, height, channels: 3, background: '#468' } });
    const body = await picture.png().toBuffer();
    const made = await reencodeImage({ ownerId: 'person', body }, { width: 800, height: 450 });
    const { format, width: wide, height: high } = await sharp(made).metadata();
    expect([format, wide, high]).toEqual(['webp', 800, 450]);
  });

  test('is cropped around the center, without distortion', { tags: ['long'] }, async () => {
    // A wide image loses its outer quarters.
    const body = await halves(800, 200).png().toBuffer();
    const made = await reencodeImage({ ownerId: 'person', body }, { width: 400, height: 200 });
    expect([await pixel(made, 190, 100), await pixel(made, 210, 100)]).toEqual(['red', 'blue']);
  });
});

describe('an invalid photo', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>';
  test.each([
    ['an SVG', Buffer.from(svg)],
    ['an SVG with an XML head', Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['a page', Buffer.from('<!doctype html><img src=x onerror=alert(1)>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ])('is rejected by its bytes: %s', async (_, bytes) => {
    expect((await refusalOf(portrait(bytes))).fields).toEqual([{ field: 'file', reason: 'file_type' }]);
  });

  test('is rejected if too large or empty', async () => {
    const photo = await halves(80, 60).jpeg().toBuffer();
    const large = Buffer.concat([photo, Buffer.alloc(6 * 1024 * 1024)]);
    expect((await refusalOf(portrait(arriving(large, 65_536)))).reason).toBe('file_too_large');
    expect((await refusalOf(portrait(new Uint8Array()))).reason).toBe('file_empty');
  });

  test('is rejected if broken', { tags: ['long'] }, async () => {
    const photo = await halves(800, 600).jpeg().toBuffer();
    for (const broken of [photo.subarray(0, photo.length / 2), photo.subarray(0, 30)])
      expect((await refusalOf(portrait(broken))).reason).toBe('image_unreadable');
  });

  test('is rejected at 900 million pixels without decoding', { tags: ['long'] }, async () => {
    const bomb = blackPng(30_000, 30_000);
    expect(bomb.length).toBeLessThan(2_000_000);
    const before = process.memoryUsage().rss;
    expect((await refusalOf(portrait(bomb))).reason).toBe('image_too_many_pixels');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('expensive images', () => {
  test(
    'are rejected by decoded size: 64 million pixels of four 16-bit channels',
    { tags: ['long'] },
    async () => {
      const bomb = blackPng(8_000, 8_000, { depth: 16, colour: 6 });
      expect(bomb.length).toBeLessThan(500_000);
      expect((await refusalOf(portrait(bomb))).reason).toBe('image_too_many_pixels');
      const kept = cleaned({ ownerId: 'person', body: bomb }, attachments);
      expect((await refusalOf(kept)).reason).toBe('image_too_many_pixels');
    },
  );

  test(
    'are rejected by pixel count, however small each: 60 million of one bit',
    { tags: ['long'] },
    async () => {
      expect((await refusalOf(portrait(blackPng(10_000, 6_000)))).reason).toBe('image_too_many_pixels');
      expect(await portrait(blackPng(8_000, 6_000))).toBeInstanceOf(Uint8Array);
    },
  );

  test('of maximum size leave the password threads free', { tags: ['long'] }, async () => {
    const large = blackPng(6_900, 6_900, { depth: 8, colour: 6 });
    const ended: string[] = [];
    const pictures = Array.from({ length: 4 }, async () => {
      await portrait(large);
      ended.push('picture');
    });
    const secret = { message: 'word', nonce: Buffer.alloc(16), parallelism: 1, tagLength: 32 };
    await promisify(argon2)('argon2id', { ...secret, memory: 19_456, passes: 2 });
    ended.push('password');
    await Promise.all(pictures);
    expect(ended).toEqual(['password', 'picture', 'picture', 'picture', 'picture']);
  });

  test('queue up, and are refused as busy beyond a person’s limit', { tags: ['long'] }, async () => {
    const photo = await halves(80, 60).png().toBuffer();
    const sent = await Promise.allSettled(Array.from({ length: 9 }, () => portrait(photo)));
    const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []));
    const busy = { code: 'unavailable', reason: 'busy' };
    expect(refused).toMatchObject([busy, busy, busy]);
    expect(await portrait(photo)).toBeInstanceOf(Uint8Array);
  });
});

const attachments = { maxBytes: 5_000_000, contentTypes: ['image/png'] };

/** A valid PNG of black pixels, built without holding them in memory: compressed rows repeat. */
function blackPng(width: number, height: number, { depth, colour } = { depth: 1, colour: 0 }): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, 0], 8);
  const samples = colour === 6 ? 4 : 1;
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil((width * depth * samples) / 8)) * height));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
