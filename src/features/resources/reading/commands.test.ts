import { describe, expect, it } from 'vitest';
import type { Ctx } from '#/platform/context.ts';
import { selfOf } from '#/features/access/rules.ts';
import { pdf } from '../../../../tests/support/bytes.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { draft, libraryOf, streamOf, words } from '../../../../tests/support/resources.ts';
import { attachFile, saveDraft, submitResource } from '../authoring/commands.ts';
import { approveResource, unpublishResource } from '../moderation/commands.ts';
import { requirePublished } from '../library/policies.ts';
import { ownResources } from '../library/queries.ts';
import { resourceContent } from './queries.ts';
import { rateResource, setFavourite, getResource } from './commands.ts';

const { db, as } = await testDatabase({ poolSize: 10 });
const { guest, admin, author, client, otherClient, published, countersOf } = await libraryOf({ db, as });

describe('Get', () => {
  it('returns the content, counts each call and adds it to My Resources', async () => {
    const id = await published();
    expect(await getResource(client, id)).toEqual({ version: 1, form: 'article', body: words });
    await getResource(client, id);
    await getResource(otherClient, id);
    expect((await requirePublished(guest, id)).downloadCount).toBe(3);
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

  it('is refused to guests, and for unpublished resources', async () => {
    const { id } = await saveDraft(author, draft());
    expect(await refusalOf(getResource(guest, id))).toMatchObject({ code: 'unauthenticated' });
    for (const ctx of [client, author, admin]) {
      expect(await refusalOf(getResource(ctx, id))).toMatchObject({ code: 'not_found' });
    }
    expect((await countersOf(id)).download_count).toBe(0);
  });

  it('counts every concurrent call', async () => {
    const id = await published();
    await Promise.all(Array.from({ length: 20 }, (_, i) => getResource(i % 2 ? client : otherClient, id)));
    expect((await countersOf(id)).download_count).toBe(20);
  });

  it('is required before reading the content', async () => {
    const id = await published();
    const content = (ctx: Ctx) => resourceContent(ctx, selfOf(ctx), id);
    expect(await refusalOf(content(client))).toMatchObject({ code: 'precondition', reason: 'not_got' });
    expect(JSON.stringify(await requirePublished(client, id))).not.toContain('waves');
    await getResource(client, id);
    expect(await content(client)).toMatchObject({ form: 'article' });
    expect((await countersOf(id)).download_count).toBe(1);
    await unpublishResource(admin, id, 'It has to be looked at again.');
    expect(await refusalOf(content(client))).toMatchObject({ code: 'not_found' });
    expect((await ownResources(client, selfOf(client), { kept: 'got', limit: 50 })).items).not.toContainEqual(
      expect.objectContaining({ id }),
    );
  });

  it('returns a signed file URL that is valid for twelve hours', async () => {
    const { id } = await saveDraft(author, draft({ type: 'book', form: 'file' }));
    await attachFile(author, { resourceId: id, name: 'Companion.pdf', body: streamOf(pdf()) });
    await approveResource(admin, id, (await submitResource(author, id)).version);
    const content = await getResource(client, id);
    if (content.form !== 'file') throw new Error('no file');
    expect(content.file).toEqual({
      name: 'Companion.pdf',
      contentType: 'application/pdf',
      size: pdf().byteLength,
    });
    const [, , fileId, rest] = content.url.split('/');
    const link = client.files.openLinkOf(client, fileId!, new URLSearchParams(rest!.split('?')[1]));
    const made = client.now();
    expect(link).toEqual({ personId: selfOf(client), made, until: made.add({ hours: 12 }) });
    expect(content.seconds).toBe(12 * 3_600);
    expect(client.files.openLinkOf(client, fileId!, new URLSearchParams())).toBeNull();
  });
});

describe('favorites', () => {
  it('are private to each person, and can be removed', async () => {
    const id = await published();
    await setFavourite(client, id, true);
    await setFavourite(client, id, true);
    expect((await requirePublished(client, id)).favourite).toBe(true);
    expect((await requirePublished(otherClient, id)).favourite).toBe(false);
    expect((await requirePublished(guest, id)).favourite).toBe(false);
    const favourites = () => ownResources(client, selfOf(client), { kept: 'favourites', limit: 10 });
    expect((await favourites()).items.map((one) => one.id)).toEqual([id]);
    await setFavourite(client, id, false);
    expect((await favourites()).items).toEqual([]);
  });

  it('are refused to guests, and for unpublished resources', async () => {
    const { id } = await saveDraft(author, draft());
    expect(await refusalOf(setFavourite(client, id, true))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(setFavourite(guest, id, true))).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('rating', () => {
  it('requires getting the resource, counts once per person and updates the average', async () => {
    const id = await published({}, author);
    expect(await refusalOf(rateResource(client, id, 5))).toMatchObject({
      code: 'precondition',
      reason: 'not_got',
    });
    await getResource(client, id);
    await getResource(otherClient, id);
    await rateResource(client, id, 2);
    await rateResource(otherClient, id, 4);
    expect(await rateResource(client, id, 5)).toMatchObject({ rating: 4.5, ratingCount: 2, ownRating: 5 });
    expect(await countersOf(id)).toMatchObject({ rating_sum: 9, rating_count: 2 });
    await getResource(author, id);
    expect(await refusalOf(rateResource(author, id, 5))).toMatchObject({
      code: 'forbidden',
      reason: 'own_resource',
    });
  });

  it('keeps sum and count correct under concurrency', async () => {
    const id = await published();
    const raters = (await addClients(db, 12)).map(as);
    await Promise.all(raters.map((ctx) => getResource(ctx, id)));
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
