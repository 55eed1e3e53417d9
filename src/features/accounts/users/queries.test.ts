import { sql, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { recordedPeople } from '../names/queries.ts';
import type { ListInput, Cursor } from './contract.ts';
import { unclaimedAddress } from '../rules.ts';
import { countUsers, userFigures, usersPage } from './queries.ts';
import type { UserOrder } from './rules.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const ctx = as({ kind: 'system' });

// Exceeds the 1,000 accounts scanned in order, so rare matches need the search index.
const crowd = Array.from({ length: 1_200 }, (_, number) => `Person ${number}`);
const few = [
  'Zoë Ng',
  'zoë o’Brien',
  'Li',
  'LI li',
  '王芳',
  '李 芳芳',
  'J.R. Ax',
  'A_x 50%',
  'Xu 😀',
  'ab',
  'ba',
  'Azo',
];
const people = [...crowd, ...few, ...few].map((name, number) => ({
  id: newId(),
  name,
  email: `p${number}@people.example`,
  role: number % 7 === 3 ? ('doctor' as const) : ('client' as const),
  created_at: new Date(Date.UTC(2025, 0, 1 + ((number * 37) % 300))),
  last_active_at: number % 3 === 0 ? null : new Date(Date.UTC(2026, 0, 1 + (number % 60))),
  suspended_at: number % 11 === 5 ? new Date('2026-01-01T00:00:00Z') : null,
}));
await db
  .insertInto('users')
  .values(
    people.map(({ id, name, email, created_at }) => ({ id, name, email, email_verified: true, created_at })),
  )
  .execute();
await db
  .insertInto('profiles')
  .values(
    people.map(({ id, name, role, created_at, last_active_at, suspended_at }) => ({
      id,
      full_name: name,
      role,
      created_at,
      last_active_at,
      suspended_at,
    })),
  )
  .execute();

type Asked = Pick<ListInput, 'search' | 'order' | 'descending' | 'role'> & {
  status?: 'suspended' | undefined;
};

const keys: Readonly<Record<UserOrder, RawBuilder<unknown>>> = {
  name: sql`lower(p.full_name)`,
  joined: sql`p.created_at`,
  lastActive: sql`coalesce(p.last_active_at, '1970-01-01T00:00:00Z'::timestamptz)`,
};

/** Reference implementation: scans all accounts. */
async function oneByOne({ search, order, descending, role, status }: Asked): Promise<string[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const { rows } = await sql<{ id: string }>`
    select p.id from profiles p join users u on u.id = p.id
     where (select coalesce(bool_and(position(word in lower(u.name || ' ' || u.email)) > 0), true)
              from unnest(${words}::text[]) as word)
       and ${role ? sql`p.role = ${role}` : sql`true`} and ${status ? sql`p.suspended_at is not null` : sql`true`}
     order by ${keys[order]} ${direction}, p.id ${direction}`.execute(db);
  return rows.map(({ id }) => id);
}

async function pages(asked: Asked, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let beyond: Cursor | undefined; ;) {
    const page = await usersPage(ctx, asked, { ...asked, beyond, limit });
    ids.push(...page.users.map(({ id }) => id));
    if (!page.beyond) return ids;
    beyond = page.beyond;
  }
}

const searches = 'z x p li ng ab ba 77 pe zq 芳 王芳 芳芳 😀 zoë ë j.r .r. 0% _x ’b @p person nobody'
  .split(' ')
  .concat(['son 11', 'o z', 'li li', 'zo ng', 'a b', 'li people']);
const orders = Object.keys(keys) as UserOrder[];
test.each(searches.map((search, index) => [search, orders[index % 3]!] as const))(
  'search for “%s” by %s matches a full scan',
  async (search, order) => {
    for (const narrowing of [{}, { role: 'doctor' }, { status: 'suspended' }] as const) {
      const asked = { search, order, descending: search.length === 2, ...narrowing };
      const expected = await oneByOne(asked);
      expect(await pages(asked, expected.length > 100 ? 90 : 4)).toEqual(expected);
      const skip = Math.floor(expected.length / 2);
      const { users } = await usersPage(ctx, asked, { ...asked, skip, limit: 4 });
      expect(users.map(({ id }) => id)).toEqual(expected.slice(skip, skip + 4));
      expect(await countUsers(ctx, asked)).toEqual({
        count: Math.min(expected.length, 1_000),
        more: expected.length > 1_000,
      });
    }
    const { rows } = await sql<{ id: string }>`
      select id from users where position(${search} in lower(name || ' ' || email)) > 0 order by id`.execute(
      db,
    );
    const called = await recordedPeople.idsOf(ctx, search.toUpperCase(), 2_000);
    expect(called.toSorted()).toEqual(rows.map(({ id }) => id));
  },
);

test('finds a renamed person by the new name only', async () => {
  const { id } = people[0]!;
  const found = async (search: string) => pages({ search, order: 'name', descending: false }, 50);
  expect(await found('qj')).toEqual([]);
  await db.updateTable('users').set({ name: 'Qjeb' }).where('id', '=', id).execute();
  expect(await found('qj')).toEqual([id]);
  await db.updateTable('users').set({ name: 'Person 0' }).where('id', '=', id).execute();
  expect(await found('qj')).toEqual([]);
});

test('counts accounts by role, excluding erased and unclaimed ones', async () => {
  const held = (role: string) => people.filter((one) => one.role === role).length;
  const before = {
    users: people.length,
    doctors: held('doctor'),
    pastors: 0,
    clients: held('client'),
  };
  expect(await userFigures(ctx)).toEqual(before);
  const add = async (role: 'pastor' | 'super_admin' | 'client', erasedAt: Date | null, unclaimed = false) => {
    const id = newId();
    const email = unclaimed ? unclaimedAddress(id) : `${id}@people.example`;
    await db.insertInto('users').values({ id, name: 'Qq', email, email_verified: true }).execute();
    await db.insertInto('profiles').values({ id, full_name: 'Qq', role, erased_at: erasedAt }).execute();
  };
  await add('pastor', null);
  await add('super_admin', null);
  await add('pastor', new Date('2026-01-01T00:00:00Z'));
  await add('client', null, true);
  expect(await userFigures(ctx)).toEqual({ ...before, users: before.users + 2, pastors: 1 });
});
