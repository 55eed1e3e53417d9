import { beforeAll, describe, expect, it } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { draft, libraryOf } from '../../../../tests/support/resources.ts';
import { publishOwn, saveDraft } from '../authoring/commands.ts';
import { authoredResources, waitingResources } from '../authoring/queries.ts';
import type { ResourceCategory } from '../library/contract.ts';
import { requireRelatedTitles } from '../library/policies.ts';
import { ownResources, resourcesTitled } from '../library/queries.ts';
import { listResources } from './queries.ts';

const { db, as, setNow } = await testDatabase();
const { guest, admin, author, client, published } = await libraryOf({ db, as });

/** Title, author, description, text, category. */
const corpus: readonly [string, string, string, string, ResourceCategory][] = [
  [
    'The First Year',
    'Ruth Amsel',
    'A companion through grief.',
    'Anniversaries, and days like any other.',
    'grief-support',
  ],
  [
    'Forgiveness in Small Steps',
    'Daniel Reyes',
    'Letting go without forgetting.',
    'We forgave slowly.',
    'family-relationships',
  ],
  [
    'When Worry Will Not Leave',
    'Sarah Whitfield',
    'For nights that are too long.',
    'Anxiety is not a sin.',
    'individual-healing',
  ],
  [
    'Brave Enough',
    'Samuel Adeyemi',
    'A journal for teenagers.',
    'Write what you cannot say.',
    'youth-teen-support',
  ],
  [
    'Praying When Words Are Missing',
    'Daniel Reyes',
    'One sentence is enough.',
    'Prayer for dry seasons.',
    'spiritual-struggles',
  ],
  [
    'Breathing and Prayer',
    'Sarah Whitfield',
    'A short practice.',
    'Breathe in, breathe out. Grief may come along.',
    'individual-healing',
  ],
];

beforeAll(async () => {
  for (const [index, [title, writer, description, body, category]] of corpus.entries()) {
    setNow(`2026-03-0${index + 1}T12:00:00Z`);
    const { id } = await saveDraft(admin, {
      title,
      author: writer,
      description,
      body: `${body} ${'And so the evening went on in its own quiet way. '.repeat(5)}`,
      category,
      type: 'devotional',
      form: 'article',
    });
    await publishOwn(admin, id);
  }
  await saveDraft(admin, {
    title: 'Grief that nobody has read',
    author: 'x',
    description: 'x',
    body: 'grief',
    category: 'grief-support',
    type: 'book',
    form: 'article',
  });
});

const found = async (q: string, category?: ResourceCategory) =>
  (await listResources(guest, { q, category, limit: 50 })).items.map(({ title }) => title);
const all = corpus.map(([title]) => title).toReversed();

describe('a search', () => {
  it.each([
    ['grief', ['The First Year', 'Breathing and Prayer']],
    ['greif', ['The First Year', 'Breathing and Prayer']],
    ['GRIEF!', ['The First Year', 'Breathing and Prayer']],
    ['griefs', ['The First Year', 'Breathing and Prayer']],
    ['gri', ['The First Year', 'Breathing and Prayer']],
    ['forgiving', ['Forgiveness in Small Steps']],
    ['forgive', ['Forgiveness in Small Steps']],
    ['forgivness', ['Forgiveness in Small Steps']],
    ['forgiveniss', ['Forgiveness in Small Steps']],
    ['fogivenes', ['Forgiveness in Small Steps']],
    ['worrying', ['When Worry Will Not Leave']],
    ['wory', ['When Worry Will Not Leave']],
    ['anxeity', ['When Worry Will Not Leave']],
    ['teenager journals', ['Brave Enough']],
    ['whitfeild', ['Breathing and Prayer', 'When Worry Will Not Leave']],
    ['prayer breathing', ['Breathing and Prayer']],
    ['pray', ['Breathing and Prayer', 'Praying When Words Are Missing']],
    ['the prayer of the', ['Breathing and Prayer', 'Praying When Words Are Missing']],
    ['grief xyzzy', []],
    ['nobody has read', []],
    ['!!!', []],
    [`'); drop table resources; --`, []],
    ['\u0001\u0002', []],
    ['x'.repeat(10_000), []],
    ['with the', all],
    ['  ', all],
  ])('for %j returns the intended results', async (q, titles) => {
    expect((await found(q)).toSorted()).toEqual([...titles].toSorted());
  });

  it('ranks title matches before text matches', async () => {
    expect((await found('prayer'))[0]).toMatch(/Prayer|Praying/);
    expect(await found('grief')).toEqual(['The First Year', 'Breathing and Prayer']);
    expect(await found('breathe')).toEqual(['Breathing and Prayer']);
  });

  it('stays within its category', async () => {
    expect(await found('grief', 'grief-support')).toEqual(['The First Year']);
    expect(await found('', 'youth-teen-support')).toEqual(['Brave Enough']);
  });
});

describe('the list', () => {
  it('continues by date or relevance, with a total count', async () => {
    for (const q of [undefined, 'evening']) {
      const whole = await listResources(guest, { q, limit: 50 });
      expect(whole).toMatchObject({ total: corpus.length, next: null });
      const titles: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listResources(guest, { q, cursor, limit: 2 });
        expect(page.total).toBe(corpus.length);
        titles.push(...page.items.map(({ title }) => title));
        cursor = page.next ?? undefined;
      } while (cursor);
      expect(titles).toEqual(whole.items.map(({ title }) => title));
    }
    expect(await found('')).toEqual(all);
  });

  it('rejects an impossible cursor', async () => {
    const cursor = '99999999999999999999~019a0000-0000-7000-8000-000000000001';
    expect(await refusalOf(listResources(guest, { cursor, limit: 2 }))).toMatchObject({ code: 'invalid' });
  });
});

describe('an impossible cursor', () => {
  it('is rejected by every list', async () => {
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

describe('a service’s page', () => {
  it('lists its related published resources in order', async () => {
    const { related_resources: titles } = await db
      .selectFrom('services')
      .select('related_resources')
      .where('id', '=', 'grief')
      .executeTakeFirstOrThrow();
    expect(await requireRelatedTitles(guest, 'grief')).toEqual(titles);
    expect(await resourcesTitled(guest, titles)).toEqual([]);
    const third = await published({ title: titles[2]! });
    const first = await published({ title: titles[0]! });
    await saveDraft(author, draft({ title: titles[1]! }));
    expect((await resourcesTitled(guest, titles)).map(({ id }) => id)).toEqual([first, third]);
    expect(await refusalOf(requireRelatedTitles(guest, 'nothing'))).toMatchObject({ code: 'not_found' });
  });
});
