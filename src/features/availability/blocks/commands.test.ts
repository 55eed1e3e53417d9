import { selfOf } from '#/features/access/rules.ts';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addProvider, type Person } from '../../../../tests/support/people.ts';
import { block, changeBlock, unblock } from './commands.ts';
import { blockBounds, blockRows } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
let [provider, other]: Person[] = [];
beforeAll(async () => {
  [provider, other] = [await addProvider(db), await addProvider(db)];
});

const own = () => as(provider!);
const id = () => selfOf(own());
const span = (startsAt: string, endsAt: string, note = '') => ({ startsAt, endsAt, note });
const march = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
const blocks = async (range = march, who = provider!) => {
  const within = { start: Date.parse(range.from), end: Date.parse(range.to) };
  const rows = blockRows({ db }, blockBounds(within)).where('provider_id', '=', who.id);
  return (await rows.select('note').orderBy('starts_at').execute()).map(({ note }) => note);
};

test('blocks a span once, moves it, and unblocks it', async () => {
  const first = await block(own(), id(), span('2026-03-10T14:00:00Z', '2026-03-10T16:00:00Z', 'Dentist'));
  const again = await block(own(), id(), span('2026-03-10T14:00:00Z', '2026-03-10T16:00:00Z', 'Dentist!'));
  expect(again).toEqual({ ...first, note: 'Dentist!' });
  await block(own(), id(), span('2026-03-05T00:00:00Z', '2026-04-20T00:00:00Z', 'Long'));
  expect(await blocks()).toEqual(['Long', 'Dentist!']);
  expect(await blocks({ from: '2026-04-19T00:00:00Z', to: '2026-04-21T00:00:00Z' })).toEqual(['Long']);
  const moved = await changeBlock(own(), id(), {
    blockId: first.id,
    ...span('2026-03-11T14:00:00Z', '2026-03-11T16:00:00Z', 'Moved'),
  });
  expect(moved).toMatchObject({ id: first.id, startsAt: '2026-03-11T14:00:00Z' });
  expect(await blocks()).toEqual(['Long', 'Moved']);
  await unblock(own(), id(), first.id);
  expect(await blocks()).toEqual(['Long']);
});

test.each([
  ['without length', '2026-03-10T14:00:00Z', '2026-03-10T14:00:00Z', 'ends_before_it_begins'],
  ['that is over', '2026-03-01T14:00:00Z', '2026-03-02T12:00:00Z', 'in_past'],
  ['of more than two months', '2026-03-10T00:00:00Z', '2026-05-12T00:00:00Z', 'too_long'],
  ['years ahead', '2032-03-10T00:00:00Z', '2032-03-11T00:00:00Z', 'too_far'],
])('a span %s is refused', async (_, startsAt, endsAt, reason) => {
  await expect(block(own(), id(), span(startsAt, endsAt))).rejects.toMatchObject({
    code: 'invalid',
    fields: [{ field: 'endsAt', reason }],
  });
});

test('returns not_found for another provider’s block, and leaves it unchanged', async () => {
  const theirs = await block(
    as(other!),
    selfOf(as(other!)),
    span('2026-03-12T14:00:00Z', '2026-03-12T16:00:00Z', 'Theirs'),
  );
  for (const blockId of [theirs.id, newId()]) {
    await expect(unblock(own(), id(), blockId)).rejects.toMatchObject({ code: 'not_found', reason: 'block' });
    await expect(
      changeBlock(own(), id(), { blockId, ...span('2026-03-13T14:00:00Z', '2026-03-13T16:00:00Z') }),
    ).rejects.toMatchObject({ code: 'not_found', reason: 'block' });
  }
  expect(await blocks(march, other)).toEqual([theirs.note]);
});
