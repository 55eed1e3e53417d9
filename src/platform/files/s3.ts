import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Disk as Drive } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import type { S3Config } from '../config.ts';
import { newId } from '../clock.ts';
import { keysIn, unwrapDriveErrors, type ByteRange, type Disk } from './disk.ts';

export function openS3({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Config): Disk {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Other vendors don't support the extra checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  });
  const drive = new Drive(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }));
  return {
    put: (key, body) => putObject(drive, key, body),
    read: (key, range) => read(client, bucket, key, range),
    copy: (from, to) => unwrapDriveErrors(drive.copy(from, to)),
    delete: (key) => unwrapDriveErrors(drive.delete(key)),
    list: (folder) => keysIn(drive, folder),
  };
}

/** S3 needs the length up front. Spools to an unlinked temporary file, which can't outlive a crash. */
async function putObject(drive: Drive, key: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const path = join(tmpdir(), `italk-${newId()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let contentLength = 0;
    for await (const chunk of body) {
      await file.writeFile(chunk);
      contentLength += chunk.byteLength;
    }
    if (contentLength === 0) return await unwrapDriveErrors(drive.put(key, new Uint8Array()));
    const whole = file.createReadStream({ start: 0, end: contentLength - 1, autoClose: false });
    await unwrapDriveErrors(drive.putStream(key, whole, { contentLength }));
  } finally {
    await file.close();
  }
}

async function read(
  client: S3Client,
  bucket: string,
  key: string,
  range: ByteRange | undefined,
): Promise<Readable | null> {
  try {
    const { Body } = await client.send(
      new GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      }),
    );
    return Body as Readable;
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return null;
    throw error;
  }
}
