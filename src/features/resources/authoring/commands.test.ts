import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { uuidV7 } from '#/kernel/ids.ts';
import type { Ctx } from '#/platform/context.ts';
import { selfOf } from '#/features/access/rules.ts';
import { pdf, silence } from '../../../../tests/support/bytes.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { noticesDuring } from '../../../../tests/support/outbox.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { draft, libraryOf, streamOf } from '../../../../tests/support/resources.ts';
import {
  attachCover,
  attachFile,
  publishOwn,
  removeResource,
  saveDraft,
  submitResource,
  withdrawResource,
} from './commands.ts';
import { authoredResources, ownResource, waitingCount, waitingResources } from './queries.ts';
import { resourceContent } from '../reading/queries.ts';
import { getResource } from '../reading/commands.ts';
import {
  approveResource,
  featureResource,
  rejectResource,
  unpublishResource,
} from '../moderation/commands.ts';
import { requirePublished } from '../library/policies.ts';
import { featuredResources } from '../library/queries.ts';
import { listResources } from '../search/queries.ts';

const { db, as, runJobs, setNow, readMails, url } = await testDatabase({ poolSize: 10 });
const { guest, admin, authorPerson, author, otherAuthor, client, published } = await libraryOf({ db, as });
const list = (ctx: Ctx, q?: string) => listResources(ctx, { q, limit: 50 });

describe('an author’s resource', () => {
  it('is private until published', async () => {
    const { id } = await saveDraft(author, draft({ title: 'Mine alone' }));
    for (const ctx of [otherAuthor, admin]) {
      const self = selfOf(ctx);
      for (const attempt of [
        () => ownResource(ctx, self, id),
        () => saveDraft(ctx, draft({ resourceId: id })),
        () => submitResource(ctx, id),
        () => withdrawResource(ctx, id),
        () => removeResource(ctx, id, true),
        () => attachFile(ctx, { resourceId: id, name: 'x.pdf', body: streamOf(pdf()) }),
        () => resourceContent(ctx, self, id),
        () => requirePublished(ctx, id),
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

  it('tells the author’s other windows when it is removed', async () => {
    const { id } = await saveDraft(author, draft());
    const told = await noticesDuring(url, ['realtime'], () => removeResource(author, id, false));
    expect(told.map(({ payload }) => payload).join()).toContain(`"resources.changed","id":"${id}"`);
  });

  it('is submitted whole, and can’t change while pending', async () => {
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

  it('is edited by version, so two windows don’t overwrite each other', async () => {
    const first = await saveDraft(author, draft({ title: 'Begun' }));
    const id = first.id;
    const seen = first.version;
    const second = await saveDraft(author, draft({ resourceId: id, version: seen, title: 'In one window' }));
    for (const version of [seen, undefined]) {
      const late = saveDraft(author, draft({ resourceId: id, version, title: 'In another' }));
      expect(await refusalOf(late)).toMatchObject({ code: 'conflict', reason: 'changed_meanwhile' });
    }
    expect(await ownResource(author, selfOf(author), id)).toMatchObject({ title: 'In one window' });
    await attachFile(author, { resourceId: id, name: 'elsewhere.pdf', body: streamOf(pdf()) });
    const late = saveDraft(author, draft({ resourceId: id, version: second.version }));
    expect(await refusalOf(late)).toMatchObject({ reason: 'changed_meanwhile' });
  });

  it('is created once, however often its first save is sent', async () => {
    const resourceId = uuidV7(0, crypto.getRandomValues(new Uint8Array(10)));
    await saveDraft(author, draft({ resourceId, title: 'Sent' }));
    const again = await saveDraft(author, draft({ resourceId, title: 'Sent again' }));
    expect(again).toMatchObject({ id: resourceId, title: 'Sent again', version: 2 });
    expect(await refusalOf(saveDraft(otherAuthor, draft({ resourceId })))).toMatchObject({
      code: 'not_found',
    });
  });

  it('is approved only in the version that was read', async () => {
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
    expect((await requirePublished(guest, id)).title).toBe('Second version');
    expect(await refusalOf(approveResource(admin, id, second.version))).toMatchObject({ code: 'not_found' });
  });

  it('is listed for administrators, returned with a reason, and its author emailed discreetly', async () => {
    setNow('2026-03-02T13:00:00Z');
    const { id } = await saveDraft(author, draft({ title: 'Words nobody should see in a mail' }));
    await submitResource(author, id);
    const waiting = await waitingResources(admin, { limit: 50 });
    expect(waiting.items.find((one) => one.id === id)).toMatchObject({ status: 'submitted' });
    expect(await waitingCount(admin)).toEqual({ waiting: waiting.items.length });
    // Lists omit bodies and search text.
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
    const mails = await readMails((rows) => rows.where('recipient', 'like', `${authorPerson.id}%`));
    expect(mails.length).toBeGreaterThan(0);
    expect(JSON.stringify(mails)).not.toMatch(/nobody should see|name your sources/);
    expect(mails.at(-1)!.text_body).toContain('https://italk.example/author');
  });

  it('is no longer public, featured or searchable once taken down', async () => {
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

  it('is deleted with its file, and if public only after confirmation', async () => {
    const { id } = await saveDraft(author, draft({ type: 'book', form: 'file' }));
    const withFile = await attachFile(author, { resourceId: id, name: 'a.pdf', body: streamOf(pdf()) });
    expect(withFile.file).toMatchObject({ name: 'a.pdf' });
    await approveResource(admin, id, (await submitResource(author, id)).version);
    await getResource(client, id);
    const { file_id } = await db
      .selectFrom('resources')
      .select('file_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await refusalOf(removeResource(author, id, false))).toMatchObject({ reason: 'confirm_removal' });
    await removeResource(author, id, true);
    expect(await refusalOf(requirePublished(guest, id))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(author.files.info(author, file_id!))).toMatchObject({ code: 'not_found' });
  });
});

describe('a file', () => {
  it('replaces the previous one, and is refused if its bytes don’t match', async () => {
    const { id } = await saveDraft(author, draft({ type: 'book' }));
    await attachFile(author, { resourceId: id, name: 'one.pdf', body: streamOf(pdf()) });
    const { version } = await attachFile(author, { resourceId: id, name: 'two.pdf', body: streamOf(pdf()) });
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

  it('as a cover is redrawn to size; SVG, HTML and noise are refused', { tags: ['long'] }, async () => {
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
    // Same limits as profile photos.
    const broken = await refusalOf(
      attachCover(author, { resourceId: id, body: streamOf(picture.subarray(0, picture.length / 2)) }),
    );
    expect(broken.fields).toEqual([{ field: 'file', reason: 'image_unreadable' }]);
    const empty = await refusalOf(attachCover(author, { resourceId: id, body: streamOf(new Uint8Array()) }));
    expect(empty.fields).toEqual([{ field: 'file', reason: 'file_empty' }]);
  });
});

describe('file storage', () => {
  it('keeps files in use from deletion, but allows removing a cover', { tags: ['long'] }, async () => {
    const { id } = await saveDraft(author, draft({ type: 'book', form: 'file' }));
    await attachFile(author, { resourceId: id, name: 'held.pdf', body: streamOf(pdf()) });
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
    // Replaced files and those of a removed resource are deleted.
    await attachCover(author, { resourceId: id, body: streamOf(picture) });
    await attachCover(author, { resourceId: id, body: streamOf(picture) });
    await attachFile(author, { resourceId: id, name: 'held again.pdf', body: streamOf(pdf()) });
    await removeResource(author, id, true);
    const left = await db.selectFrom('files').select('id').where('name', 'like', 'held%').execute();
    expect(left).toEqual([]);
  });
});
