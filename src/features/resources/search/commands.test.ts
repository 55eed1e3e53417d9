import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { draft, libraryOf, words } from '../../../../tests/support/resources.ts';
import { publishOwn, removeResource, saveDraft, withdrawResource } from '../authoring/commands.ts';
import { listResources } from './queries.ts';

const { db, as } = await testDatabase({ poolSize: 10 });
const { guest, admin, published } = await libraryOf({ db, as });

describe('the words of public resources', () => {
  const usesOf = async (...asked: string[]) =>
    Object.fromEntries(
      (
        await db.selectFrom('resource_words').select(['word', 'uses']).where('word', 'in', asked).execute()
      ).map(({ word, uses }) => [word, uses]),
    );

  it('are searchable while at least one resource has them', async () => {
    const [one, two] = [
      await published({ title: 'Wistaria evenings' }),
      await published({ title: 'Wistaria, wistaria and saxifrage' }),
    ];
    expect(await usesOf('wistaria', 'saxifrage')).toEqual({ wistaria: 2, saxifrage: 1 });
    await removeResource(admin, two, true);
    expect(await usesOf('wistaria', 'saxifrage')).toEqual({ wistaria: 1 });
    expect((await listResources(guest, { q: 'wisteria', limit: 50 })).items.map(({ id }) => id)).toEqual([
      one,
    ]);
    await withdrawResource(admin, one);
    expect(await usesOf('wistaria')).toEqual({});
  });

  it('are counted correctly when resources are published and withdrawn concurrently', async () => {
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
