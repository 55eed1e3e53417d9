import { beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import type { Ctx } from '#/platform/context.ts';
import { silence } from '../../../tests/support/bytes.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addClients, addProvider, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import {
  attachCover,
  attachFile,
  publishOwn,
  removeResource,
  saveDraft,
  submitResource,
  withdrawResource,
} from './authoring/commands.ts';
import { authoredResources, ownResource } from './authoring/queries.ts';
import { resourceContent } from './body/queries.ts';
import { rateResource, setFavourite, takeResource } from './commands.ts';
import type { DraftInput } from './contract.ts';
import {
  approveResource,
  featureResource,
  rejectResource,
  unpublishResource,
} from './moderation/commands.ts';
import { waitingCount, waitingResources } from './moderation/queries.ts';
import { resourcesPersonal } from './personal.ts';
import {
  featuredResources,
  listResources,
  ownResources,
  relatedResources,
  resourceDetail,
  selfOf,
} from './queries.ts';
import { transact } from '#/platform/db/transact.ts';

const { db, as, runJobs, setNow } = await testDatabase({ poolSize: 10 });
const guest = as({ kind: 'guest' });
let admin: Ctx;
let author: Ctx;
let otherAuthor: Ctx;
let client: Ctx;
let otherClient: Ctx;
let authorPerson: Person;

beforeAll(async () => {
  const people = [await addClient(db), await addProvider(db), await addProvider(db)];
  const clients = await addClients(db, 2);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', people[0]!.id).execute();
  admin = as({ ...people[0]!, role: 'super_admin' });
  authorPerson = people[1]!;
  author = as(people[1]!);
  otherAuthor = as(people[2]!);
  client = as(clients[0]!);
  otherClient = as(clients[1]!);
});

const words = 'Grief comes in waves, and nobody has to stand in them alone. '.repeat(6).trim();
const draft = (change: Partial<DraftInput> = {}): DraftInput => ({
  title: 'A Quiet Hour',
  author: 'Dr. Ruth Amsel',
  type: 'devotional',
  category: 'grief-support',
  description: 'For an evening that is too long.',
  form: 'article',
  body: words,
  ...change,
});

async function published(change: Partial<DraftInput> = {}, by = admin): Promise<string> {
  const { id } = await saveDraft(by, draft(change));
  if (by === admin) {
    await publishOwn(admin, id);
    return id;
  }
  const { version } = await submitResource(by, id);
  await approveResource(admin, id, version);
  return id;
}

const list = (ctx: Ctx, q?: string) => listResources(ctx, { q, limit: 50 });
const streamOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]).stream();
const pdf = new TextEncoder().encode('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
const countersOf = async (id: string) =>
  db
    .selectFrom('resources')
    .select(['rating_sum', 'rating_count', 'download_count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

describe('Get', () => {
  it('answers what there is to open, counts each call once, and keeps it under My Resources', async () => {
    const id = await published();
    expect(await takeResource(client, id)).toEqual({ version: 1, form: 'article', body: words });
    await takeResource(client, id);
    await takeResource(otherClient, id);
    expect((await resourceDetail(guest, id)).downloadCount).toBe(3);
    const mine = await ownResources(client, selfOf(client), { kept: 'got', limit: 10 });
    expect(mine.items).toMatchObject([{ id, got: true }]);
    expect(
      await db
        .selectFrom('resource_gets')
        .select('times')
        .where('resource_id', '=', id)
        .orderBy('times')
        .execute(),
    ).toEqual([{ times: 1 }, { times: 2 }]);
  });

  it('is refused to guests, and for what isn’t public', async () => {
    const { id } = await saveDraft(author, draft());
    expect(await refusalOf(takeResource(guest, id))).toMatchObject({ code: 'unauthenticated' });
    for (const ctx of [client, author, admin]) {
      expect(await refusalOf(takeResource(ctx, id))).toMatchObject({ code: 'not_found' });
    }
    expect((await countersOf(id)).download_count).toBe(0);
  });

  it('counts every one of many at once', async () => {
    const id = await published();
    await Promise.all(Array.from({ length: 20 }, (_, i) => takeResource(i % 2 ? client : otherClient, id)));
    expect((await countersOf(id)).download_count).toBe(20);
  });

  it('comes before the content: who hasn’t got it reads only what it is about', async () => {
    const id = await published();
    const content = (ctx: Ctx) => resourceContent(ctx, selfOf(ctx), id);
    expect(await refusalOf(content(client))).toMatchObject({ code: 'precondition', reason: 'not_got' });
    expect(JSON.stringify(await resourceDetail(client, id))).not.toContain('waves');
    await takeResource(client, id);
    expect(await content(client)).toMatchObject({ form: 'article' });
    expect((await countersOf(id)).download_count).toBe(1);
    await unpublishResource(admin, id, 'It has to be looked at again.');
    expect(await refusalOf(content(client))).toMatchObject({ code: 'not_found' });
    expect((await ownResources(client, selfOf(client), { kept: 'got', limit: 50 })).items).not.toContainEqual(
      expect.objectContaining({ id }),
    );
  });

  it('leads to a file by a link that is signed for as long as a session lasts', async () => {
    const { id } = await saveDraft(author, draft({ type: 'book', form: 'file' }));
    await attachFile(author, { resourceId: id, name: 'Companion.pdf', body: streamOf(pdf) });
    await approveResource(admin, id, (await submitResource(author, id)).version);
    const content = await takeResource(client, id);
    if (content.form !== 'file') throw new Error('no file');
    expect(content.file).toEqual({
      name: 'Companion.pdf',
      contentType: 'application/pdf',
      size: pdf.byteLength,
    });
    const [, , fileId, rest] = content.url.split('/');
    const until = client.files.opensUntil(client, fileId!, new URLSearchParams(rest!.split('?')[1]));
    expect(until?.toString()).toBe(client.now().add({ hours: 12 }).toString());
    expect(content.seconds).toBe(12 * 3_600);
    expect(client.files.opensUntil(client, fileId!, new URLSearchParams())).toBeNull();
  });
});

describe('favourites', () => {
  it('are kept by each person for themselves, and let go again', async () => {
    const id = await published();
    await setFavourite(client, id, true);
    await setFavourite(client, id, true);
    expect((await resourceDetail(client, id)).favourite).toBe(true);
    expect((await resourceDetail(otherClient, id)).favourite).toBe(false);
    expect((await resourceDetail(guest, id)).favourite).toBe(false);
    const favourites = () => ownResources(client, selfOf(client), { kept: 'favourites', limit: 10 });
    expect((await favourites()).items.map((one) => one.id)).toEqual([id]);
    await setFavourite(client, id, false);
    expect((await favourites()).items).toEqual([]);
  });

  it('are never what isn’t public', async () => {
    const { id } = await saveDraft(author, draft());
    expect(await refusalOf(setFavourite(client, id, true))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(setFavourite(guest, id, true))).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('rating', () => {
  it('is for who got it, once each, and changes the mean', async () => {
    const id = await published({}, author);
    expect(await refusalOf(rateResource(client, id, 5))).toMatchObject({
      code: 'precondition',
      reason: 'not_got',
    });
    await takeResource(client, id);
    await takeResource(otherClient, id);
    await rateResource(client, id, 2);
    await rateResource(otherClient, id, 4);
    expect(await rateResource(client, id, 5)).toMatchObject({ rating: 4.5, ratingCount: 2, ownRating: 5 });
    expect(await countersOf(id)).toMatchObject({ rating_sum: 9, rating_count: 2 });
    await takeResource(author, id);
    expect(await refusalOf(rateResource(author, id, 5))).toMatchObject({
      code: 'forbidden',
      reason: 'own_resource',
    });
  });

  it('keeps sum and count right when many rate at once, again and again', async () => {
    const id = await published();
    const raters = (await addClients(db, 12)).map(as);
    await Promise.all(raters.map((ctx) => takeResource(ctx, id)));
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => rateResource(raters[i % 12]!, id, 1 + ((i * 7) % 5))),
    );
    const rows = await db
      .selectFrom('resource_ratings')
      .select('rating')
      .where('resource_id', '=', id)
      .execute();
    expect(rows).toHaveLength(12);
    expect(await countersOf(id)).toEqual({
      rating_sum: rows.reduce((sum, { rating }) => sum + rating, 0),
      rating_count: 12,
      download_count: 12,
    });
  });
});

describe('an author’s work', () => {
  it('is theirs alone until it is public', async () => {
    const { id } = await saveDraft(author, draft({ title: 'Mine alone' }));
    for (const ctx of [otherAuthor, admin]) {
      const self = selfOf(ctx);
      for (const attempt of [
        () => ownResource(ctx, self, id),
        () => saveDraft(ctx, draft({ resourceId: id })),
        () => submitResource(ctx, id),
        () => withdrawResource(ctx, id),
        () => removeResource(ctx, id, true),
        () => attachFile(ctx, { resourceId: id, name: 'x.pdf', body: streamOf(pdf) }),
        () => resourceContent(ctx, self, id),
        () => resourceDetail(ctx, id),
      ]) {
        expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found' });
      }
    }
    expect(await refusalOf(publishOwn(admin, id))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(approveResource(admin, id, 1))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(saveDraft(client, draft()))).toMatchObject({ code: 'forbidden' });
    expect((await authoredResources(otherAuthor, selfOf(otherAuthor), { limit: 50 })).items).toEqual([]);
    expect((await list(guest)).items).not.toContainEqual(expect.objectContaining({ id }));
  });

  it('is sent in whole, and isn’t changed while it waits', async () => {
    const { id } = await saveDraft(author, draft({ body: '', description: '' }));
    expect((await refusalOf(submitResource(author, id))).fields).toEqual([
      { field: 'description', reason: 'required' },
      { field: 'body', reason: 'required' },
    ]);
    await saveDraft(author, draft({ resourceId: id, version: 1 }));
    expect(await submitResource(author, id)).toMatchObject({
      status: 'submitted',
      actions: ['withdraw', 'remove'],
    });
    expect(await refusalOf(saveDraft(author, draft({ resourceId: id })))).toMatchObject({
      code: 'conflict',
      reason: 'wrong_state',
    });
    expect(await refusalOf(publishOwn(author, id))).toMatchObject({ code: 'forbidden' });
    expect(await withdrawResource(author, id)).toMatchObject({ status: 'draft' });
  });

  it('is changed in the version that was seen, so that two windows don’t undo each other’s work', async () => {
    const first = await saveDraft(author, draft({ title: 'Begun' }));
    const id = first.id;
    const seen = first.version;
    const second = await saveDraft(author, draft({ resourceId: id, version: seen, title: 'In one window' }));
    for (const version of [seen, undefined]) {
      const late = saveDraft(author, draft({ resourceId: id, version, title: 'In another' }));
      expect(await refusalOf(late)).toMatchObject({ code: 'conflict', reason: 'changed_meanwhile' });
    }
    expect(await ownResource(author, selfOf(author), id)).toMatchObject({ title: 'In one window' });
    await attachFile(author, { resourceId: id, name: 'elsewhere.pdf', body: streamOf(pdf) });
    const late = saveDraft(author, draft({ resourceId: id, version: second.version }));
    expect(await refusalOf(late)).toMatchObject({ reason: 'changed_meanwhile' });
  });

  it('is approved in the version that was read, and no other', async () => {
    const { id } = await saveDraft(author, draft({ title: 'First version' }));
    const { version } = await submitResource(author, id);
    await withdrawResource(author, id);
    await saveDraft(author, draft({ resourceId: id, version, title: 'Second version' }));
    const second = await submitResource(author, id);
    expect(await refusalOf(approveResource(admin, id, version))).toMatchObject({
      code: 'conflict',
      reason: 'changed',
    });
    expect((await resourceContent(admin, selfOf(admin), id)).version).toBe(second.version);
    await approveResource(admin, id, second.version);
    expect((await resourceDetail(guest, id)).title).toBe('Second version');
    expect(await refusalOf(approveResource(admin, id, second.version))).toMatchObject({ code: 'not_found' });
  });

  it('waits in a list for administrators, comes back with a reason, and its author is told discreetly', async () => {
    setNow('2026-03-02T13:00:00Z');
    const { id } = await saveDraft(author, draft({ title: 'Words nobody should see in a mail' }));
    await submitResource(author, id);
    const waiting = await waitingResources(admin, { limit: 50 });
    expect(waiting.items.find((one) => one.id === id)).toMatchObject({ status: 'submitted' });
    expect(await waitingCount(admin)).toEqual({ waiting: waiting.items.length });
    // Lists don't carry the words of what stands in them, nor what searches use.
    const authored = await authoredResources(author, selfOf(author), { limit: 50 });
    for (const listed of [...waiting.items, ...authored.items]) {
      for (const heavy of ['body', 'search']) expect(listed).not.toHaveProperty(heavy);
    }
    expect(await resourceContent(admin, selfOf(admin), id)).toMatchObject({ form: 'article' });
    await rejectResource(admin, id, 'Please name your sources.');
    expect(await ownResource(author, selfOf(author), id)).toMatchObject({
      status: 'rejected',
      rejectReason: 'Please name your sources.',
      actions: ['edit', 'submit', 'remove'],
    });
    await runJobs();
    const mails = await db
      .selectFrom('mails')
      .select(['recipient', 'subject', 'text_body'])
      .where('recipient', 'like', `${authorPerson.id}%`)
      .execute();
    expect(mails.length).toBeGreaterThan(0);
    expect(JSON.stringify(mails)).not.toMatch(/nobody should see|name your sources/);
    expect(mails.at(-1)!.text_body).toContain('https://italk.example/author');
  });

  it('that an administrator takes down is public no more, nor featured, nor found', async () => {
    const id = await published({ title: 'Zephyrine evenings' }, author);
    await featureResource(admin, id, true);
    expect((await featuredResources(guest)).map((one) => one.id)).toContain(id);
    expect((await list(guest, 'zephyrine')).items).toHaveLength(1);
    await unpublishResource(admin, id, 'A link in it is broken.');
    expect((await featuredResources(guest)).map((one) => one.id)).not.toContain(id);
    expect((await list(guest, 'zephyrine')).items).toEqual([]);
    expect(
      await db.selectFrom('resource_words').select('word').where('word', '=', 'zephyrine').execute(),
    ).toEqual([]);
    for (const ctx of [author, client]) {
      expect(await refusalOf(featureResource(ctx, id, true))).toMatchObject({ code: 'forbidden' });
      expect(await refusalOf(unpublishResource(ctx, id, 'x'))).toMatchObject({ code: 'forbidden' });
    }
  });

  it('is deleted with its file; what is public only after a second word', async () => {
    const { id } = await saveDraft(author, draft({ type: 'book', form: 'file' }));
    const withFile = await attachFile(author, { resourceId: id, name: 'a.pdf', body: streamOf(pdf) });
    expect(withFile.file).toMatchObject({ name: 'a.pdf' });
    await approveResource(admin, id, (await submitResource(author, id)).version);
    await takeResource(client, id);
    const { file_id } = await db
      .selectFrom('resources')
      .select('file_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await refusalOf(removeResource(author, id, false))).toMatchObject({ reason: 'confirm_removal' });
    await removeResource(author, id, true);
    expect(await refusalOf(resourceDetail(guest, id))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(author.files.info(author, file_id!))).toMatchObject({ code: 'not_found' });
  });
});

describe('the words of what is public', () => {
  const usesOf = async (...asked: string[]) =>
    Object.fromEntries(
      (
        await db.selectFrom('resource_words').select(['word', 'uses']).where('word', 'in', asked).execute()
      ).map(({ word, uses }) => [word, uses]),
    );

  it('are known as long as one work has them', async () => {
    const [one, two] = [
      await published({ title: 'Wistaria evenings' }),
      await published({ title: 'Wistaria, wistaria and saxifrage' }),
    ];
    expect(await usesOf('wistaria', 'saxifrage')).toEqual({ wistaria: 2, saxifrage: 1 });
    await removeResource(admin, two, true);
    expect(await usesOf('wistaria', 'saxifrage')).toEqual({ wistaria: 1 });
    expect((await list(guest, 'wisteria')).items.map(({ id }) => id)).toEqual([one]);
    await withdrawResource(admin, one);
    expect(await usesOf('wistaria')).toEqual({});
  });

  it('are counted right when many become public and are taken back at once', async () => {
    const drafts: string[] = [];
    for (let index = 0; index < 12; index++) {
      const body = `${index % 2 ? 'quillwort bladdernut' : 'bladdernut quillwort'} ${words}`;
      drafts.push((await saveDraft(admin, draft({ title: 'Toadflax', body }))).id);
    }
    await Promise.all(drafts.map((id) => publishOwn(admin, id)));
    expect(await usesOf('toadflax', 'quillwort', 'bladdernut')).toEqual({
      toadflax: 12,
      quillwort: 12,
      bladdernut: 12,
    });
    const later = await Promise.all(
      [1, 2, 3].map(async () => (await saveDraft(admin, draft({ title: 'Toadflax' }))).id),
    );
    await Promise.all([
      ...drafts.map((id) => withdrawResource(admin, id)),
      ...later.map((id) => publishOwn(admin, id)),
    ]);
    expect(await usesOf('toadflax', 'quillwort', 'bladdernut')).toEqual({ toadflax: 3 });
    for (const id of later) await removeResource(admin, id, true);
    expect(await usesOf('toadflax')).toEqual({});
  });
});

describe('a place in a list that there can’t be', () => {
  it('is refused, whatever the list', async () => {
    const cursor = '99999999999999999999~019a0000-0000-7000-8000-000000000001';
    for (const attempt of [
      () => authoredResources(author, selfOf(author), { cursor, limit: 2 }),
      () => waitingResources(admin, { cursor, limit: 2 }),
      () => ownResources(client, selfOf(client), { kept: 'got', cursor, limit: 2 }),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ code: 'invalid', reason: 'bad_format' });
    }
  });
});

describe('a file', () => {
  it('takes the place of the one before, and is refused when its bytes are something else', async () => {
    const { id } = await saveDraft(author, draft({ type: 'book' }));
    await attachFile(author, { resourceId: id, name: 'one.pdf', body: streamOf(pdf) });
    const { version } = await attachFile(author, { resourceId: id, name: 'two.pdf', body: streamOf(pdf) });
    await saveDraft(author, draft({ resourceId: id, version, type: 'video', form: 'file' }));
    for (const [bytes, reason] of [
      [new TextEncoder().encode('<html>'), 'file_type'],
      [new Uint8Array(), 'file_empty'],
      [silence(), 'not_video'],
    ] as const) {
      const refusal = await refusalOf(
        attachFile(author, { resourceId: id, name: 'x.pdf', body: streamOf(bytes) }),
      );
      expect(refusal.fields).toEqual([{ field: 'file', reason }]);
    }
    expect((await ownResource(author, selfOf(author), id)).file?.name).toBe('two.pdf');
    const files = await db
      .selectFrom('files')
      .select('name')
      .where('name', 'in', ['one.pdf', 'two.pdf', 'x.pdf'])
      .execute();
    expect(files).toEqual([{ name: 'two.pdf' }]);
  });

  it('that is a cover is drawn anew in the cover’s shape; SVG, HTML and noise are refused', async () => {
    const { id } = await saveDraft(author, draft());
    const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#468' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'someone' } })
      .toBuffer();
    const { cover } = await attachCover(author, { resourceId: id, body: streamOf(picture) });
    const fileId = cover!.split('/')[2]!;
    const stored = await new Response(await author.files.read(author, fileId)).bytes();
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'webp', width: 800, height: 450 });
    expect((await sharp(stored).metadata()).exif).toBeUndefined();
    for (const body of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html></html>', 'noise']) {
      const refusal = await refusalOf(
        attachCover(author, { resourceId: id, body: streamOf(new TextEncoder().encode(body)) }),
      );
      expect(refusal.fields).toEqual([{ field: 'file', reason: 'file_type' }]);
    }
    const large = await refusalOf(
      attachCover(author, { resourceId: id, body: streamOf(new Uint8Array(6 * 1024 * 1024)) }),
    );
    expect(large.fields).toEqual([{ field: 'file', reason: 'file_too_large' }]);
    // For the same reasons as a photo.
    const broken = await refusalOf(
      attachCover(author, { resourceId: id, body: streamOf(picture.subarray(0, picture.length / 2)) }),
    );
    expect(broken.fields).toEqual([{ field: 'file', reason: 'image_unreadable' }]);
    const empty = await refusalOf(attachCover(author, { resourceId: id, body: streamOf(new Uint8Array()) }));
    expect(empty.fields).toEqual([{ field: 'file', reason: 'file_empty' }]);
  });
});

describe('the storage', () => {
  it('gives away no file that a work holds, and takes a cover away from its work', async () => {
    const { id } = await saveDraft(author, draft({ type: 'book', form: 'file' }));
    await attachFile(author, { resourceId: id, name: 'held.pdf', body: streamOf(pdf) });
    const picture = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#468' } })
      .png()
      .toBuffer();
    await attachCover(author, { resourceId: id, body: streamOf(picture) });
    const { file_id, cover_id } = await db
      .selectFrom('resources')
      .select(['file_id', 'cover_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const attempt of [
      () => admin.files.remove(admin, [file_id!]),
      () => admin.files.buckets.empty(admin, 'resources'),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ code: 'conflict', reason: 'file_in_use' });
    }
    expect(await admin.files.info(admin, file_id!)).toMatchObject({ name: 'held.pdf' });
    await admin.files.remove(admin, [cover_id!]);
    expect(await ownResource(author, selfOf(author), id)).toMatchObject({
      cover: null,
      file: { name: 'held.pdf' },
    });
    // Others in their places, and away with the work.
    await attachCover(author, { resourceId: id, body: streamOf(picture) });
    await attachCover(author, { resourceId: id, body: streamOf(picture) });
    await attachFile(author, { resourceId: id, name: 'held anew.pdf', body: streamOf(pdf) });
    await removeResource(author, id, true);
    const left = await db.selectFrom('files').select('id').where('name', 'like', 'held%').execute();
    expect(left).toEqual([]);
  });
});

describe('the page of a service', () => {
  it('names the related resources that are there, in its order', async () => {
    const { related_resources: titles } = await db
      .selectFrom('services')
      .select('related_resources')
      .where('id', '=', 'grief')
      .executeTakeFirstOrThrow();
    expect(await relatedResources(guest, 'grief')).toEqual([]);
    const third = await published({ title: titles[2]! });
    const first = await published({ title: titles[0]! });
    await saveDraft(author, draft({ title: titles[1]! }));
    expect((await relatedResources(guest, 'grief')).map(({ id }) => id)).toEqual([first, third]);
    expect(await refusalOf(relatedResources(guest, 'nothing'))).toMatchObject({ code: 'not_found' });
  });
});

describe('a person’s part', () => {
  it('is handed out whole, and leaves nothing of them but what others count on', async () => {
    const [leaving] = await addClients(db, 1);
    await db.updateTable('profiles').set({ role: 'doctor' }).where('id', '=', leaving!.id).execute();
    const them = as({ ...leaving!, role: 'doctor' });
    const name = 'Quillon Marchbanks';
    const kept = await published({ title: 'Kept by others', author: name }, them);
    const { id: dropped } = await saveDraft(
      them,
      draft({ title: 'Never finished', author: name, type: 'book' }),
    );
    await attachFile(them, { resourceId: dropped, name: 'draft.pdf', body: streamOf(pdf) });
    const other = await published();
    await takeResource(them, other);
    await setFavourite(them, other, true);
    await rateResource(them, other, 4);
    await takeResource(client, kept);

    const { tables, files } = await resourcesPersonal.collect(them, leaving!.id);
    expect(Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.length]))).toEqual({
      resource_gets: 1,
      resource_favourites: 1,
      resource_ratings: 1,
      resources: 2,
    });
    expect(files).toMatchObject([{ name: 'draft.pdf' }]);

    await db.updateTable('site_settings').set({ site_name: 'Hearthside Chapel' }).execute();
    await transact(as({ kind: 'system' }), (tx) => resourcesPersonal.erase(tx, leaving!.id));
    expect(await resourcesPersonal.collect(them, leaving!.id)).toMatchObject({
      tables: { resource_gets: [], resource_favourites: [], resource_ratings: [], resources: [] },
      files: [],
    });
    expect(await resourceDetail(guest, kept)).toMatchObject({
      title: 'Kept by others',
      author: 'Hearthside Chapel',
    });
    expect((await list(guest, 'hearthsyde')).items.map(({ id }) => id)).toEqual([kept]);
    expect(await countersOf(other)).toMatchObject({ rating_sum: 0, rating_count: 0, download_count: 1 });
    expect(await db.selectFrom('files').select('id').where('name', '=', 'draft.pdf').execute()).toEqual([]);
    const left = await db
      .selectFrom('resource_words')
      .select('word')
      .where('word', 'in', ['quillon', 'marchbanks'])
      .execute();
    expect(left).toEqual([]);
  });
});
