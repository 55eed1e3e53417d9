import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import sharp from 'sharp';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { selfOf } from '#/features/access/rules.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { arriving, bomb, bytesOf, pdf, png } from '../../../../tests/support/bytes.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { open, send } from '../commands.ts';
import { requireMember } from '../membership/policies.ts';
import { requireConversation } from '../policies.ts';
import { messagesOf } from '../queries.ts';
import { deleteUnsentUploads, uploadAttachment } from './commands.ts';
import { answerAttachment } from '../attachments/queries.ts';
import { attachmentsPersonal } from '../personal.ts';
import { maxUnsent } from '../rules.ts';

const database = await testDatabase();
const { db, as, setNow, runJobs, folder } = database;
const noon = '2026-03-02T12:00:00Z';

let client: Person;
let provider: Person;
let stranger: Person;
let conversationId: string;
beforeEach(async () => {
  setNow(noon);
  await db.deleteFrom('rate_limits').execute();
  [client, stranger, provider] = [await addClient(db), await addClient(db), await addProvider(db)];
  conversationId = await begun(client, provider);
});

const words = (text = 'See what I found.') => ({ messageId: newId(), text, attachmentIds: [] as string[] });
async function begun(from: Person, to: Person): Promise<string> {
  const first = { conversationId: newId(), withId: to.id, subject: 'Sleep', ...words() };
  return (await open(as(from), first, 1_000)).id;
}

const put = (who: Person, body: Uint8Array, name = 'letter.pdf', to = conversationId) =>
  uploadAttachment(as(who), {
    query: new URLSearchParams({ conversationId: to, name }),
    body: arriving(body, 50_000),
  });
const bring = (who: Person, ids: readonly string[], to = conversationId, text = '') =>
  send(as(who), { conversationId: to, ...words(text), attachmentIds: [...ids] }, 1_000);
const listed = async (who: Person) =>
  (await messagesOf(as(who), await requireMember(as(who), conversationId), { limit: 50 })).messages;
const fetched = (who: Person, id: string, headers: Record<string, string> = {}) =>
  answerAttachment(as(who), new Request(`http://x/api/conversations/attachments/${id}`, { headers }), id);
const bytes = async (answer: Response) => bytesOf(answer.body!);
const reasonOf = async (attempt: Promise<unknown>) => {
  const { code, reason } = await refusalOf(attempt);
  return [code, reason];
};
const onDisk = () => globSync('{objects/*/*,pending/*}', { cwd: folder });

async function zip(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const file = new ZipFile();
  for (const [name, content] of Object.entries(entries))
    file.addBuffer(Buffer.isBuffer(content) ? content : Buffer.from(content), name, { compress: false });
  file.end();
  return Buffer.concat((await (file.outputStream as Readable).toArray()) as Buffer[]);
}
const office = 'application/vnd.openxmlformats-officedocument';
const contentTypes = (kind: string) =>
  `<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="${office}.${kind}.main+xml"/></Types>`;

describe('a file', () => {
  test('is sent with a message, in its position and order', async () => {
    const letter = await put(client, pdf(200_000));
    const picture = await put(client, png, 'me.png');
    expect(letter).toEqual({
      id: letter.id,
      name: 'letter.pdf',
      contentType: 'application/pdf',
      size: 200_000,
      width: null,
      height: null,
      path: `/api/conversations/attachments/${letter.id}`,
    });
    expect(picture).toMatchObject({ name: 'me.png', width: 1, height: 1 });
    const sent = await bring(client, [picture.id, letter.id]);
    expect(sent.attachments).toEqual([picture, letter]);
    for (const who of [client, provider]) {
      expect((await listed(who)).at(-1)).toMatchObject({ text: '', attachments: [picture, letter] });
      const { last } = await requireConversation(as(who), selfOf(as(who)), conversationId);
      expect(last.attachments).toBe(2);
      expect((await bytes(await fetched(who, letter.id))).equals(pdf(200_000))).toBe(true);
    }
  });

  test('is private to its uploader until sent, then to both people', async () => {
    const { id } = await put(client, pdf());
    const elsewhere = await begun(stranger, provider);
    await put(stranger, pdf(), 'other.pdf', elsewhere);
    const gone = ['not_found', 'attachment'];
    expect((await fetched(client, id)).status).toBe(200);
    expect(await reasonOf(fetched(provider, id))).toEqual(gone);
    await bring(client, [id]);
    expect((await fetched(provider, id)).status).toBe(200);
    for (const other of [stranger, { ...stranger, role: 'super_admin' as const }, await addProvider(db)])
      expect(await reasonOf(fetched(other, id))).toEqual(gone);
    for (const nobody of [{ kind: 'guest' }, { kind: 'job', name: 'x' }, { kind: 'system' }] as const) {
      const asking = answerAttachment(as(nobody), new Request('http://x/'), id);
      expect(await reasonOf(asking)).toEqual(gone);
    }
    for (const wrong of ['x', newId(), '../../etc/passwd'])
      expect(await reasonOf(fetched(client, wrong))).toEqual(gone);
  });

  test('can be sent once, only by its uploader in its conversation', async () => {
    const missing = ['invalid', 'attachment_missing'];
    const elsewhere = await begun(stranger, provider);
    const own = await put(provider, pdf());
    const { id } = await put(client, pdf());
    expect(await reasonOf(bring(provider, [id]))).toEqual(missing);
    expect(await reasonOf(bring(provider, [own.id], elsewhere))).toEqual(missing);
    expect(await reasonOf(bring(client, [id, id]))).toEqual(missing);
    expect(await reasonOf(bring(client, [newId()]))).toEqual(missing);
    expect((await listed(client)).length).toBe(1);
    await bring(client, [id]);
    expect(await reasonOf(bring(client, [id]))).toEqual(missing);
    expect((await listed(client)).length).toBe(2);
  });

  test('appears once if sent twice in one message', async () => {
    const { id } = await put(client, pdf());
    const message = { conversationId, ...words(), attachmentIds: [id] };
    const [first, again] = [await send(as(client), message, 1_000), await send(as(client), message, 1_000)];
    expect(again).toEqual(first);
    expect(again.attachments).toHaveLength(1);
  });

  test('is limited to one’s own conversations while they accept messages', async () => {
    const before = onDisk();
    for (const who of [stranger, { ...stranger, role: 'super_admin' as const }])
      expect(await reasonOf(put(who, pdf()))).toEqual(['not_found', 'conversation']);
    expect(await reasonOf(put(client, pdf(), 'a.pdf', newId()))).toEqual(['not_found', 'conversation']);
    expect((await refusalOf(put(client, pdf(), 'a.pdf', 'x'))).fields).toMatchObject([
      { field: 'conversationId' },
    ]);
    await db.updateTable('profiles').set({ erased_at: new Date() }).where('id', '=', provider.id).execute();
    expect(await reasonOf(put(client, pdf()))).toEqual(['precondition', 'conversation_closed']);
    await db
      .updateTable('feature_flags')
      .set({ enabled: false })
      .where('id', '=', 'direct_messaging')
      .execute();
    expect(await reasonOf(put(client, pdf()))).toEqual(['not_found', 'feature_off']);
    await db
      .updateTable('feature_flags')
      .set({ enabled: true })
      .where('id', '=', 'direct_messaging')
      .execute();
    expect(onDisk()).toEqual(before);
  });
});

describe('file types', () => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  test.each([
    ['a PDF', 'a.pdf', () => pdf(), 'application/pdf'],
    ['a PNG', 'a.png', () => png, 'image/png'],
    ['a GIF', 'a.gif', () => gif, 'image/gif'],
    ['a text', 'notes.txt', () => Buffer.from('Grüße,\n\tRuth — אֱלֹהִים\n'), 'text/plain'],
    ['a long text', 'notes.txt', () => Buffer.from('Grüße 🕊 '.repeat(20_000)), 'text/plain'],
    [
      'an MP3',
      'a.mp3',
      () =>
        Buffer.concat([
          Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
          Buffer.from([0xff, 0xfb, 0x90, 0x64]),
          Buffer.alloc(500),
        ]),
      'audio/mpeg',
    ],
    ['an M4A', 'a.m4a', () => boxed('M4A '), 'audio/mp4'],
    ['an MP4', 'a.mp4', () => boxed('isom'), 'video/mp4'],
    ['an Ogg', 'a.ogg', () => ogg(), 'audio/ogg'],
    [
      'a Word file that says so at its end',
      'a.docx',
      () =>
        zip({
          'word/document.xml': Buffer.alloc(100_000, 'a'),
          '[Content_Types].xml': contentTypes('wordprocessingml.document'),
        }),
      `${office}.wordprocessingml.document`,
    ],
    [
      'an Excel file',
      'a.xlsx',
      () => zip({ '[Content_Types].xml': contentTypes('spreadsheetml.sheet'), 'xl/workbook.xml': '<x/>' }),
      `${office}.spreadsheetml.sheet`,
    ],
  ])('accept %s', async (_, name, make, contentType) => {
    const body = await make();
    const file = await put(client, body, name);
    expect(file).toMatchObject({ name, contentType });
    const { headers } = await fetched(client, file.id);
    expect(headers.get('content-type')).toBe(
      contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
    );
    const read = await bytes(await fetched(client, file.id));
    expect(read.equals(body) || contentType.startsWith('image/')).toBe(true);
  });

  const page = '<!doctype html><script>alert(1)</script>';
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each([
    ['a page named .jpg', 'cat.jpg', Buffer.from(page), 'file_type'],
    ['a page named .txt', 'cat.txt', Buffer.from(`  \n${page}`), 'file_type'],
    ['a page named .html', 'cat.html', Buffer.from(page), 'file_type'],
    ['a drawing named .png', 'cat.png', Buffer.from(drawing), 'file_type'],
    ['a drawing', 'cat.svg', Buffer.from(`<?xml version="1.0"?>${drawing}`), 'file_type'],
    ['a script named .jpg', 'cat.jpg', Buffer.from('fetch("/api/me").then(console.log)'), 'file_type'],
    ['a script', 'cat.js', Buffer.from('alert(1)'), 'file_type'],
    ['a shell script named .txt', 'cat.txt', Buffer.from('#!/bin/sh\nrm -rf ~'), 'file_type'],
    ['a program named .pdf', 'cat.pdf', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500)]), 'file_type'],
    ['bytes named .txt', 'cat.txt', Buffer.from([0x48, 0x69, 0x00, 0x01]), 'file_type'],
    [
      'bytes behind a long text',
      'cat.txt',
      Buffer.concat([Buffer.alloc(100_000, 'a'), Buffer.from([0xff, 0])]),
      'file_type',
    ],
    ['nothing', 'cat.jpg', Buffer.alloc(0), 'file_empty'],
    ['a byte more than 10 MB', 'a.pdf', pdf(10 * 1024 * 1024 + 1), 'file_too_large'],
    ['a picture of 900 million pixels', 'cat.png', bomb(), 'image_too_many_pixels'],
    ['half a picture', 'cat.png', Buffer.from(png).subarray(0, 45), 'image_unreadable'],
  ])('refuse %s, keeping nothing of it', async (_, name, body, reason) => {
    const before = onDisk();
    expect(await refusalOf(put(client, body, name))).toMatchObject({
      code: 'invalid',
      fields: [{ field: 'file', reason }],
    });
    expect(onDisk()).toEqual(before);
  });

  test('refuse archives that aren’t documents', async () => {
    expect(await reasonOf(put(client, await zip({ 'a.txt': 'hello' }), 'a.docx'))).toEqual([
      'invalid',
      'file_type',
    ]);
  });

  test.each([
    '',
    ' ',
    '../a.pdf',
    String.raw`..\a.pdf`,
    'a\0.pdf',
    'a\n.pdf',
    'fdp\u202eexe.pdf',
    'x'.repeat(201),
  ])('refuse misleading or path-like names: %j', async (name) => {
    const { code, fields } = await refusalOf(put(client, pdf(), name));
    expect([code, fields[0]?.field]).toEqual(['invalid', 'name']);
  });

  test('accept ten megabytes', async () => {
    expect(await put(client, pdf(10 * 1024 * 1024), 'a.pdf')).toMatchObject({ size: 10 * 1024 * 1024 });
  });

  test('rotate photos upright and strip location and camera data', async () => {
    const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#c33' } })
      .jpeg()
      .withExif({
        IFD0: { Make: 'Private Camera' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const file = await put(client, photo, 'walk.png');
    expect(file).toMatchObject({ name: 'walk.png.jpg', contentType: 'image/jpeg', width: 20, height: 40 });
    const kept = await bytes(await fetched(client, file.id));
    const { exif, width, height, orientation } = await sharp(kept).metadata();
    expect([exif, width, height, orientation]).toEqual([undefined, 20, 40, undefined]);
    expect(kept.includes('Private')).toBe(false);
  });
});

describe('upload limits', () => {
  test('allow 30 files a minute', { tags: ['long'] }, async () => {
    for (let count = 0; count < 30; count++) await put(client, pdf(1_000));
    expect(await reasonOf(put(client, pdf(1_000)))).toEqual(['rate_limited', 'too_many_files']);
    await put(provider, pdf(1_000));
    setNow('2026-03-02T12:01:01Z');
    await put(client, pdf(1_000));
  });

  test('allow 300 files a day, even sent', async () => {
    const sent = async () => bring(client, [(await put(client, pdf(1_000))).id]);
    await sent();
    await db
      .updateTable('rate_limits')
      .set({ hits: 299 })
      .where('key', '=', `attachments-day:${client.id}`)
      .execute();
    await sent();
    setNow('2026-03-02T23:59:59Z');
    expect(await reasonOf(put(client, pdf(1_000)))).toEqual(['rate_limited', 'too_many_files']);
    setNow('2026-03-03T12:00:01Z');
    await sent();
  });

  test('allow 200 MB unsent, even concurrently', { tags: ['long'] }, async () => {
    const { id } = await put(client, png, 'a.png');
    await db
      .updateTable('files')
      .set({ size: maxUnsent - 15_000 })
      .where('id', '=', id)
      .execute();
    const ends = await Promise.allSettled(Array.from({ length: 3 }, () => put(client, pdf(10_000))));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reasonOf(put(client, pdf(10_000)))).toEqual(['conflict', 'too_much_unsent']);
    await bring(client, [id]);
    await put(client, pdf(10_000));
  });
});

test('keeps files unreadable on disk and in the database, even with another file’s key', async () => {
  const secret = 'I sleep badly since April. '.repeat(400);
  const { id } = await put(client, Buffer.from(secret), 'about-my-sleep.txt');
  await bring(client, [id]);
  await runJobs();
  const [file, other] = [
    await db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    await put(client, pdf(secret.length), 'b.pdf'),
  ];
  for (const path of onDisk()) {
    const stored = readFileSync(`${folder}/${path}`);
    expect(stored.includes('April'), path).toBe(false);
    expect(stored.includes('about-my')).toBe(false);
  }
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`.execute(db);
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.raw(name)} as t where t::text ~ 'about-my|April'`.execute(
      db,
    );
    expect(rows, name).toEqual([]);
  }
  await db.updateTable('files').set({ sealed_key: file.sealed_key }).where('id', '=', other.id).execute();
  await expect(fetched(client, other.id)).rejects.toThrow('unable to authenticate');
});

test('refuses to serve a file changed on disk', async () => {
  const { id } = await put(client, pdf(200_000));
  const { object } = await db
    .selectFrom('files')
    .select('object')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const path = `${folder}/objects/${object.slice(-2)}/${object}`;
  const stored = readFileSync(path);
  stored[100_000]! ^= 1;
  writeFileSync(path, stored);
  await expect(fetched(client, id).then(bytes)).rejects.toThrow('sealed bytes were changed');
  const intact = await fetched(client, id, { range: 'bytes=0-999' });
  expect([intact.status, intact.headers.get('content-range')]).toEqual([206, 'bytes 0-999/200000']);
  expect((await bytes(intact)).equals(pdf(200_000).subarray(0, 1_000))).toBe(true);
});

test('deletes unsent files after a day with their bytes, and keeps sent ones', async () => {
  const [sent, left] = [await put(client, pdf()), await put(client, pdf())];
  await bring(client, [sent.id]);
  setNow('2026-03-03T11:59:00Z');
  const tidy = as({ kind: 'job', name: 'tidy' });
  await deleteUnsentUploads(tidy);
  expect((await fetched(client, left.id)).status).toBe(200);
  setNow('2026-03-03T12:00:01Z');
  await deleteUnsentUploads(tidy);
  await runJobs();
  expect(await reasonOf(fetched(client, left.id))).toEqual(['not_found', 'attachment']);
  expect((await fetched(provider, sent.id)).status).toBe(200);
  const stored = await db.selectFrom('files').select('object').execute();
  expect(
    onDisk()
      .map((path) => path.slice(-36))
      .toSorted(),
  ).toEqual(stored.map(({ object }) => object).toSorted());
  expect(await reasonOf(bring(client, [left.id]))).toEqual(['invalid', 'attachment_missing']);
});

test('exports sent files by name, and deletes only one’s own with the account', async () => {
  const [mine, theirs] = [await put(client, pdf(), 'mine.pdf'), await put(provider, pdf(), 'theirs.pdf')];
  await bring(client, [mine.id]);
  await bring(provider, [theirs.id]);
  const { tables, files } = await attachmentsPersonal.collect(as({ kind: 'system' }), client.id);
  expect(files).toEqual([{ id: mine.id, name: 'mine.pdf' }]);
  expect(tables['attachments']).toMatchObject([{ id: mine.id, name: 'mine.pdf' }]);
  await transact(as({ kind: 'job', name: 'erase' }), (tx) => attachmentsPersonal.erase(tx, client.id));
  await runJobs();
  const rows = await db.selectFrom('files').select('id').where('id', 'in', [mine.id, theirs.id]).execute();
  expect(rows).toEqual([{ id: theirs.id }]);
  expect((await fetched(provider, theirs.id)).status).toBe(200);
});

/** Start of an ISO base media file with this brand. */
function boxed(brand: string): Buffer {
  const box = Buffer.alloc(600);
  box.writeUInt32BE(24, 0);
  box.write(`ftyp${brand}`, 4);
  return box;
}

/** First page of an Ogg Vorbis stream. */
function ogg(): Buffer {
  const first = Buffer.alloc(600);
  first.write('OggS', 0);
  first[5] = 2;
  first[26] = 1;
  first[27] = 30;
  first.write('\x01vorbis', 28, 'latin1');
  return first;
}
