import { globSync } from 'node:fs';
import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { uploads } from '#/app/api.ts';
import { documentsKept, maxDocumentBytes } from '#/features/files/rules.ts';
import { maxAttachmentBytes, maxUnsent } from '#/features/messaging/rules.ts';
import { documentTypes, maxDocumentMegabytes } from '#/features/providers/documents/rules.ts';
import { maxMegabytes } from '#/features/resources/library/rules.ts';
import { maxPhotoMegabytes } from '#/features/accounts/rules.ts';
import { rowsUnder } from '../support/documents.ts';
import { pdf, png } from '../support/bytes.ts';
import { addClient } from '../support/people.ts';
import { problemIn, storedIn, testServer, type Visitor } from '../support/server.ts';

const server = await testServer();
const { database } = server;
let client: Visitor;
beforeAll(async () => {
  client = await server.signIn(await addClient(database.db));
});

const onDisk = () => globSync(`${database.folder}/{objects/*/*,pending/*}`).length;
const send = (visitor: Visitor, body: Uint8Array | string, path = '/api/files?name=letter.pdf') =>
  visitor.send('POST', path, { body, headers: { 'content-type': 'application/octet-stream' } });

describe.each(uploads.map((upload) => [upload.path, upload] as const))('%s', (path, { maxBytes }) => {
  test('rejects guests', async () => {
    const before = [await storedIn(database), onDisk()];
    for (const body of [png, pdf(100_000)]) {
      expect(problemIn(await send(server.guest, body, `/api${path}`)).code).toBe('unauthenticated');
    }
    expect([await storedIn(database), onDisk()]).toEqual(before);
  });

  test('rejects a declared oversize or missing length without reading the body', async () => {
    const head = (headers: Record<string, string>) => refusedUnread(`/api${path}`, headers);
    expect(await head({ 'content-length': String(maxBytes + 1) })).toMatchObject({
      code: 'invalid',
      fields: [{ field: 'file', reason: 'file_too_large' }],
    });
    expect(await head({ 'transfer-encoding': 'chunked' })).toMatchObject({ reason: 'length_required' });
  });

  test('rejects other sites’ pages', async () => {
    const answer = await client.send('POST', `/api${path}`, {
      body: png,
      origin: 'https://elsewhere.example',
    });
    expect(problemIn(answer).reason).toBe('foreign_origin');
  });
});

/** Sends only headers and returns the response. */
function refusedUnread(path: string, headers: Record<string, string>): Promise<unknown> {
  const origin = server.config.appUrl;
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path,
      headers: { origin, cookie: client.cookie, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        sent.destroy();
        resolve(JSON.parse(text));
      });
    });
    sent.flushHeaders();
  });
}

test('uploads, reads, replaces and removes a document', async () => {
  const answer = await send(client, pdf(300_000));
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  const file = answer.json as { id: string; path: string };
  expect(file).toMatchObject({ name: 'letter.pdf', size: 300_000, contentType: 'application/pdf' });
  expect((await client.send('GET', file.path)).headers['content-length']).toBe('300000');
  const replaced = await send(client, png, `/api/files/bytes?id=${file.id}`);
  expect(replaced.json).toMatchObject({ id: file.id, contentType: 'image/png', size: png.length });
  const { json } = await client.send('GET', '/api/files');
  expect(json).toMatchObject([{ id: file.id, contentType: 'image/png' }]);
  const link = await client.send('POST', `/api/files/${file.id}/link`, { body: { seconds: 60 } });
  const { path } = link.json as { path: string };
  expect((await server.guest.send('GET', path)).status).toBe(200);
  expect((await client.send('POST', `/api/files/${file.id}/remove`, {})).status).toBe(200);
  expect((await client.send('GET', file.path)).status).toBe(404);
});

test('rejects an unauthorized upload unread, and logs it', async () => {
  const answer = await send(client, pdf(), '/api/resource-files');
  expect(problemIn(answer).code).toBe('forbidden');
  const entries = await database.db
    .selectFrom('audit_entries')
    .select(['success', 'category'])
    .where('action', '=', 'refused.upload.resource-files')
    .orderBy('id')
    .execute();
  expect(entries).toEqual([{ success: false, category: 'security' }]);
});

test.each([
  ['a page', '<!doctype html><script>alert(1)</script>', 'letter.pdf', 'file', 'file_type'],
  ['10 MB of a page', `<!doctype html>${'x'.repeat(10_000_000)}`, 'letter.pdf', 'file', 'file_type'],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'me.png', 'file', 'file_type'],
  ['nothing', '', 'letter.pdf', 'file', 'file_empty'],
  ['a name of 10,000 characters', png, 'x'.repeat(10_000), 'name', 'too_large'],
  ['a name of control characters', png, 'a\u0000\u001b[31m', 'name', 'bad_format'],
  ['no name', png, '', 'name', 'required'],
])('rejects %s with an explanation, storing nothing', async (_, body, name, field, reason) => {
  const before = [await storedIn(database), onDisk()];
  const path = `/api/files?name=${encodeURIComponent(name)}`;
  const { code, fields } = problemIn(await send(client, body, path));
  expect([code, fields]).toEqual(['invalid', [{ field, reason }]]);
  expect([await storedIn(database), onDisk()]).toEqual(before);
});

test('leaves nothing after an aborted upload', async () => {
  const before = [await storedIn(database), onDisk()];
  const sent = request({
    host: '127.0.0.1',
    port: server.port,
    method: 'POST',
    path: '/api/files?name=letter.pdf',
    headers: { origin: server.config.appUrl, cookie: client.cookie, 'content-length': '5000000' },
  });
  sent.on('error', () => undefined);
  sent.write(pdf(1_000_000));
  await expect.poll(onDisk).toBeGreaterThan(before[1] as number);
  sent.destroy();
  await expect.poll(onDisk).toBe(before[1]);
  expect(await storedIn(database)).toEqual(before[0]);
  expect(server.log.join('')).not.toContain('a request failed');
});

test('keeps the body limit on other paths', async () => {
  const body = JSON.stringify({ timeZone: 'x'.repeat(70_000) });
  for (const path of ['/api/me/preferences', '/api/files/x/move', '/api/files/'])
    expect(problemIn(await client.send('POST', path, { body })).reason).toBe('body_too_large');
});

test('accepts the documented types and sizes', () => {
  const megabytes = (bytes: number) => bytes / 1024 / 1024;
  const names = { 'application/pdf': 'PDF', 'image/jpeg': 'JPEG', 'image/png': 'PNG' };
  const types = documentTypes.map((type) => names[type]).join(', ');
  const listed = rowsUnder('docs/safeguards.md', 'Files that people send').map((row) => row.join(' | '));
  expect(maxMegabytes.cover).toBe(maxPhotoMegabytes);
  for (const row of [
    `profile photo, cover | JPEG, PNG, WebP; redrawn without metadata | ${maxPhotoMegabytes} MB, `,
    `application | ${types} | ${maxDocumentMegabytes} MB`,
    `own documents | ${types} | ${megabytes(maxDocumentBytes)} MB, ${documentsKept} files`,
    `library | PDF, sound, film | ${maxMegabytes.file} MB`,
    `message | pictures, PDF, text, sound, MP4, Word, Excel | ${megabytes(maxAttachmentBytes)} MB, 30 a minute, 300 a day, ${megabytes(maxUnsent)} MB unsent`,
  ])
    expect(
      listed.filter((one) => one.startsWith(row)),
      row,
    ).toHaveLength(1);
});
