import { expect, test } from 'vitest';
import { bytesOf, pdf } from '../../../tests/support/bytes.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { s3Server } from '../../../tests/support/s3-server.ts';
import { storageSuite } from '../../../tests/support/storage-suite.ts';
import { openRemoteDisk } from './remote-disk.ts';
import { openFiles } from './storage.ts';

const { config, objects, requests } = await s3Server();
const disk = openRemoteDisk(config);
const database = await testDatabase({ disk });

storageSuite(database, { keys: () => [...objects.keys()], begun: 0 });

test('requests only the read range from S3', async () => {
  const ctx = database.as({ kind: 'system' });
  const file = await ctx.files.upload(ctx, {
    bucket: 'documents',
    ownerId: null,
    name: 'a.pdf',
    body: pdf(),
  });
  requests.length = 0;
  await bytesOf(await ctx.files.read(ctx, file.id, { start: 500, end: 999 }));
  expect(requests).toEqual([expect.stringMatching(/^GET objects\/.* bytes=500-999$/)]);
});

test('is ready only if S3 accepts its credentials', async () => {
  expect(await openFiles({ disk, secret: 's' }).ready()).toBe(true);
  const elsewhere = { ...config, secretAccessKey: 'x', accessKeyId: 'another' };
  expect(await openFiles({ disk: openRemoteDisk(elsewhere), secret: 's' }).ready()).toBe(false);
});
