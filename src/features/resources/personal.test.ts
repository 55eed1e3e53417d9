import { describe, expect, it } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { pdf } from '../../../tests/support/bytes.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClients } from '../../../tests/support/people.ts';
import { draft, libraryOf, streamOf } from '../../../tests/support/resources.ts';
import { attachFile, saveDraft } from './authoring/commands.ts';
import { rateResource, setFavourite, getResource } from './reading/commands.ts';
import { resourcesPersonal } from './personal.ts';
import { requirePublished } from './library/policies.ts';
import { listResources } from './search/queries.ts';

const { db, as } = await testDatabase({ poolSize: 10 });
const { guest, client, published, countersOf } = await libraryOf({ db, as });

describe('a person’s resource data', () => {
  it('is exported in full, and erased except for resources others use, without their name', async () => {
    const [leaving] = await addClients(db, 1);
    await db.updateTable('profiles').set({ role: 'doctor' }).where('id', '=', leaving!.id).execute();
    const them = as({ ...leaving!, role: 'doctor' });
    const name = 'Quillon Marchbanks';
    const kept = await published({ title: 'Kept by others', author: name }, them);
    const { id: dropped } = await saveDraft(
      them,
      draft({ title: 'Never finished', author: name, type: 'book' }),
    );
    await attachFile(them, { resourceId: dropped, name: 'draft.pdf', body: streamOf(pdf()) });
    const other = await published();
    await getResource(them, other);
    await setFavourite(them, other, true);
    await rateResource(them, other, 4);
    await getResource(client, kept);

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
    expect(await requirePublished(guest, kept)).toMatchObject({
      title: 'Kept by others',
      author: 'Hearthside Chapel',
    });
    expect((await listResources(guest, { q: 'hearthsyde', limit: 50 })).items.map(({ id }) => id)).toEqual([
      kept,
    ]);
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
