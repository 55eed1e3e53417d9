import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import type { S3Config } from '#/platform/config.ts';

export interface S3Server {
  config: S3Config;
  objects: Map<string, Buffer>;
  requests: string[];
}

const bucket = 'care';
const accessKeyId = 'key-of-the-test';

export async function s3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    void answer(objects, requests, incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    endpoint,
    region: 'us-east-1',
    bucket,
    accessKeyId,
    secretAccessKey: 'secret-of-the-test',
  };
  return { config, objects, requests };
}

async function answer(
  objects: Map<string, Buffer>,
  requests: string[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url!, 'http://s3');
  const key = decodeURIComponent(pathname.slice(`/${bucket}/`.length));
  const { method, headers } = incoming;
  requests.push([method, key, headers.range].filter(Boolean).join(' '));
  const body = await buffer(incoming).catch(() => null);
  if (body === null) return;
  const signed = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`;
  if (!headers.authorization?.startsWith(signed) || !`${pathname}/`.startsWith(`/${bucket}/`))
    return fail(outgoing, 403, 'AccessDenied');
  if (searchParams.get('list-type') === '2') return list(objects, searchParams, outgoing);
  if (method === 'PUT') {
    // Not every S3 server supports chunked checksums or uploads without a length.
    if (headers['content-encoding'] || headers['content-length'] === undefined)
      return fail(outgoing, 501, 'NotImplemented');
    const source = headers['x-amz-copy-source'] as string | undefined;
    const copied = source && objects.get(decodeURIComponent(source).slice(`/${bucket}/`.length));
    if (source && !copied) return fail(outgoing, 404, 'NoSuchKey');
    objects.set(key, copied || body);
    return void outgoing.end(copied ? '<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>' : '');
  }
  if (method === 'DELETE') {
    objects.delete(key);
    return void outgoing.writeHead(204).end();
  }
  get(objects.get(key), headers.range, outgoing);
}

function get(stored: Buffer | undefined, range: string | undefined, outgoing: ServerResponse): void {
  if (!stored) return fail(outgoing, 404, 'NoSuchKey');
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const sent = range ? stored.subarray(Number(start), Number(end) + 1) : stored;
  outgoing.writeHead(range ? 206 : 200, {
    'content-length': sent.length,
    etag: '"e"',
    'last-modified': 'Mon, 02 Mar 2026 12:00:00 GMT',
  });
  outgoing.end(sent);
}

/** Two keys per page, to force pagination. */
function list(objects: Map<string, Buffer>, query: URLSearchParams, outgoing: ServerResponse): void {
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .toSorted();
  const page = keys.slice(0, 2);
  const entry = (key: string) =>
    `<Contents><Key>${key}</Key><Size>1</Size><ETag>"e"</ETag><LastModified>2026-03-02T12:00:00Z</LastModified></Contents>`;
  const next = keys.length > 2 ? `<NextContinuationToken>${page.at(-1)!}</NextContinuationToken>` : '';
  outgoing.end(`<ListBucketResult>${page.map(entry).join('')}${next}</ListBucketResult>`);
}

function fail(outgoing: ServerResponse, status: number, code: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/xml' });
  outgoing.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
