import { globSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { arriving, pdf, png } from '../../../tests/support/bytes.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClients, freshSession, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import type { Ctx } from '#/platform/context.ts';
import {
  createBucket,
  emptyBucket,
  removeBucket,
  updateBucket,
  copyDocument,
  linkFile,
  removeDocument,
  renameDocument,
  replaceDocument,
  storeDocument,
} from './commands.ts';
import { filesOf } from './queries.ts';
import { documentsKept } from './rules.ts';

const database = await testDatabase();
const { db } = database;
let owner: Person;
let ctx: Ctx;
let other: Ctx;
let chief: Ctx;
beforeAll(async () => {
  const [first, second, third] = (await addClients(db, 3)) as [Person, Person, Person];
  owner = first;
  [ctx, other] = [database.as(first), database.as(second)];
  chief = database.as(await freshSession(database.db, { ...third, role: 'super_admin' }));
});
beforeEach(async () => {
  await db.deleteFrom('files').execute();
  await ctx.files.deleteRemoved(ctx);
});

const store = (as = ctx, name = 'letter.pdf') => storeDocument(as, { name, body: arriving(pdf()) });
const mine = () => filesOf(ctx, owner.id, { bucket: 'documents', limit: 100, offset: 0 });
const done = async () =>
  (await db.selectFrom('audit_entries').select(['action', 'subject_id']).orderBy('id').execute()).map(
    ({ action, subject_id }) => [action, subject_id],
  );

describe('a document', () => {
  test('can be stored, renamed, copied, replaced, linked and removed, with each step logged', async () => {
    const before = (await done()).length;
    const file = await store();
    expect(file.path).toBe(`/files/${file.id}/letter.pdf`);
    await renameDocument(ctx, file.id, 'reply.pdf');
    const copy = await copyDocument(ctx, file.id, undefined);
    await replaceDocument(ctx, file.id, arriving(png));
    expect((await linkFile(ctx, file.id, 60)).path).toMatch(
      /\/reply\.pdf\?for=[\w-]{36}&made=\d+&expires=\d+&signature=[\w-]{43}$/,
    );
    expect(await mine()).toMatchObject([
      { id: file.id, name: 'reply.pdf', contentType: 'image/png', size: png.length },
      { id: copy.id, name: 'reply.pdf', contentType: 'application/pdf', size: 10_000 },
    ]);
    await removeDocument(ctx, file.id);
    expect(await mine()).toMatchObject([{ id: copy.id }]);
    expect((await done()).slice(before)).toEqual([
      ['files.stored', file.id],
      ['files.renamed', file.id],
      ['files.copied', copy.id],
      ['files.replaced', file.id],
      ['files.linked', file.id],
      ['files.removed', file.id],
    ]);
  });

  test('is removed and logged once, however many ask at once', async () => {
    const { id } = await store();
    const removals = Array.from({ length: 4 }, () => removeDocument(ctx, id));
    const refused = (await Promise.allSettled(removals)).filter(({ status }) => status === 'rejected');
    const gone = { reason: { code: 'not_found', reason: 'file' } };
    expect(refused).toMatchObject([gone, gone, gone]);
    expect((await done()).filter(([action, of]) => action === 'files.removed' && of === id)).toHaveLength(1);
  });

  test('returns not_found if it’s missing or belongs to another person', async () => {
    const file = await store();
    for (const as of [other, chief, ctx]) {
      const id = as === ctx ? newId() : file.id;
      for (const attempt of [
        () => renameDocument(as, id, 'x.pdf'),
        () => copyDocument(as, id, undefined),
        () => replaceDocument(as, id, arriving(png)),
        () => linkFile(as, id, 60),
        () => removeDocument(as, id),
      ])
        expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'file' });
    }
    expect(await mine()).toMatchObject([{ id: file.id, name: 'letter.pdf' }]);
  });

  test.each([
    ['photos', png],
    ['exports', pdf()],
  ])(
    'is what people change and hand on; what the product keeps for them in %s is not',
    async (bucket, body) => {
      const { id } = await ctx.files.upload(ctx, { bucket, ownerId: owner.id, name: 'mine', body });
      const before = await done();
      for (const attempt of [
        () => renameDocument(ctx, id, 'x.png'),
        () => replaceDocument(ctx, id, arriving(png)),
        () => linkFile(ctx, id, 60),
        () => removeDocument(ctx, id),
      ])
        expect((await refusalOf(attempt())).reason).toBe('not_a_document');
      expect(await ctx.files.info(ctx, id)).toMatchObject({ name: 'mine' });
      expect(await done()).toEqual(before);
    },
  );

  test('is refused beyond the maximum, even when stored concurrently', async () => {
    const at = new Date();
    const row = { bucket: 'documents', owner_id: owner.id, content_type: 'application/pdf', size: 1 };
    const rows = Array.from({ length: documentsKept - 1 }, () => ({
      ...row,
      id: newId(),
      object: newId(),
      name: 'a.pdf',
      created_at: at,
      updated_at: at,
    }));
    await db.insertInto('files').values(rows).execute();
    const attempts = await Promise.allSettled([store(), store(), store(), store()]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await refusalOf(store())).reason).toBe('too_many_documents');
    expect((await refusalOf(copyDocument(ctx, rows[0]!.id, undefined))).reason).toBe('too_many_documents');
    const { length } = await db.selectFrom('files').select('id').where('owner_id', '=', owner.id).execute();
    expect(length).toBe(documentsKept);
    expect(globSync(`${database.folder}/{objects/*/*,pending/*}`)).toHaveLength(1);
  });
});

describe('a bucket', () => {
  const letters = {
    id: 'letters',
    readableBy: 'owner' as const,
    maxBytes: 1_000,
    contentTypes: ['image/png'],
  };

  test('is created, changed, emptied and deleted by administrators, with each step logged', async () => {
    const before = (await done()).length;
    await createBucket(chief, letters);
    await chief.files.upload(chief, { bucket: 'letters', ownerId: null, name: 'a.png', body: png });
    expect(await updateBucket(chief, { bucketId: 'letters', readableBy: 'everyone' })).toEqual({
      ...letters,
      readableBy: 'everyone',
    });
    expect((await refusalOf(removeBucket(chief, 'letters'))).reason).toBe('bucket_not_empty');
    await emptyBucket(chief, 'letters');
    await removeBucket(chief, 'letters');
    expect((await done()).slice(before).map(([action]) => action)).toEqual([
      'buckets.created',
      'buckets.changed',
      'buckets.emptied',
      'buckets.removed',
    ]);
  });

  test('can’t be created, changed, emptied or deleted by others', async () => {
    const before = await done();
    for (const attempt of [
      () => createBucket(ctx, letters),
      () => updateBucket(ctx, { bucketId: 'documents', readableBy: 'everyone' }),
      () => emptyBucket(ctx, 'documents'),
      () => removeBucket(ctx, 'documents'),
    ])
      expect((await refusalOf(attempt())).code).toBe('forbidden');
    expect(await done()).toEqual(before);
  });
});
