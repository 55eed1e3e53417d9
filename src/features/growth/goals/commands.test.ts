import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { selfOf } from '#/features/access/rules.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import {
  achieveGoal,
  addGoal,
  changeGoal,
  purgeRemovedGoals,
  removeGoal,
  restoreGoal,
  tickStep,
} from './commands.ts';
import { requireOwnGoal } from './policies.ts';
import { goalOf, goalsOf } from './queries.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

const walk = {
  title: 'walkwords',
  why: 'whywords',
  dueOn: '2026-05-01',
  steps: [{ text: 'stepwords', dueOn: '2026-04-01' }, { text: 'Go' }],
};
const list = { limit: 50, offset: 0 };
const mine = (person: Person, state: 'open' | 'achieved') =>
  goalsOf(as(person), selfOf(as(person)), { state, ...list });

describe('a goal', () => {
  test('has steps to complete, and can be reached and reopened', async () => {
    const client = await addClient(db);
    const ctx = as(client);
    const goal = await addGoal(ctx, walk);
    expect(goal).toMatchObject({
      title: 'walkwords',
      why: 'whywords',
      dueOn: '2026-05-01',
      achievedAt: null,
      steps: [
        { text: 'stepwords', dueOn: '2026-04-01', doneAt: null },
        { text: 'Go', dueOn: null, doneAt: null },
      ],
    });
    setNow('2026-03-03T12:00:00Z');
    const ticked = { goalId: goal.id, stepId: goal.steps[0]!.id, done: true };
    await tickStep(ctx, ticked);
    setNow('2026-03-04T12:00:00Z');
    // Completing a step twice keeps its original date.
    expect((await tickStep(ctx, ticked)).steps[0]!.doneAt).toBe('2026-03-03T12:00:00Z');
    expect((await achieveGoal(ctx, goal.id, true)).achievedAt).toBe('2026-03-04T12:00:00Z');
    expect((await mine(client, 'open')).goals).toEqual([]);
    expect((await mine(client, 'achieved')).goals).toHaveLength(1);
    expect((await achieveGoal(ctx, goal.id, false)).achievedAt).toBeNull();
    expect((await tickStep(ctx, { ...ticked, done: false })).steps[0]!.doneAt).toBeNull();
  });

  test('is added once per id, with the latest words, and never over another person’s', async () => {
    const [client, other] = [await addClient(db), await addClient(db)];
    const goalId = newId();
    await Promise.all([1, 2].map(() => addGoal(as(client), { goalId, ...walk })));
    await addGoal(as(client), { goalId, ...walk, title: 'Second thoughts' });
    const stored = [{ id: goalId, title: 'Second thoughts', steps: [{ text: 'stepwords' }, { text: 'Go' }] }];
    expect((await mine(client, 'open')).goals).toMatchObject(stored);
    expect(await refusalOf(addGoal(as(other), { goalId, ...walk }))).toMatchObject({ code: 'not_found' });
    await removeGoal(as(client), goalId);
    expect(await refusalOf(addGoal(as(client), { goalId, ...walk }))).toMatchObject({ code: 'not_found' });
    await restoreGoal(as(client), goalId);
    expect((await mine(client, 'open')).goals).toMatchObject(stored);
  });

  test('keeps another window’s version, and accepts a repeated change', async () => {
    const client = await addClient(db);
    const { id: goalId, version } = await addGoal(as(client), walk);
    const first = { goalId, version, ...walk, title: 'First window' };
    const saved = await changeGoal(as(client), first);
    expect(await changeGoal(as(client), first)).toEqual(saved);
    const second = { ...first, steps: [] };
    expect(await refusalOf(changeGoal(as(client), second))).toMatchObject({ reason: 'changed_meanwhile' });
    expect((await mine(client, 'open')).goals).toEqual([saved]);
    await tickStep(as(client), { goalId, stepId: saved.steps[0]!.id, done: true });
    expect((await changeGoal(as(client), { ...second, version: saved.version })).steps).toEqual([]);
  });

  test('keeps completed steps on edit, in the new order, and drops removed ones', async () => {
    const client = await addClient(db);
    const goal = await addGoal(as(client), walk);
    const [first, second] = goal.steps;
    await tickStep(as(client), { goalId: goal.id, stepId: second!.id, done: true });
    const changed = await changeGoal(as(client), {
      goalId: goal.id,
      title: 'Run',
      steps: [{ text: 'New' }, { id: second!.id, text: 'Went' }, { id: newId(), text: 'Foreign' }],
    });
    expect(changed).toMatchObject({ title: 'Run', why: null, dueOn: null });
    expect(changed.steps.map(({ text, doneAt }) => [text, doneAt !== null])).toEqual([
      ['New', false],
      ['Went', true],
      ['Foreign', false],
    ]);
    expect(changed.steps[1]!.id).toBe(second!.id);
    expect(changed.steps.map(({ id }) => id)).not.toContain(first!.id);
  });

  test('can be restored for a day after removal, then is deleted permanently', async () => {
    setNow('2026-03-02T12:00:00Z');
    const client = await addClient(db);
    const goal = await addGoal(as(client), walk);
    await removeGoal(as(client), goal.id);
    expect((await mine(client, 'open')).goals).toEqual([]);
    expect(await refusalOf(achieveGoal(as(client), goal.id, true))).toMatchObject({ code: 'not_found' });
    setNow('2026-03-03T11:00:00Z');
    await purgeRemovedGoals(as({ kind: 'system' }));
    expect(await restoreGoal(as(client), goal.id)).toMatchObject({ title: 'walkwords' });
    expect(await restoreGoal(as(client), goal.id), 'twice').toMatchObject({ title: 'walkwords' });
    const restored = db.selectFrom('audit_entries').select('id').where('action', '=', 'goal_restored');
    expect(await restored.where('subject_id', '=', goal.id).execute()).toHaveLength(1);
    await removeGoal(as(client), goal.id);
    setNow('2026-03-04T12:00:00Z');
    expect(await refusalOf(restoreGoal(as(client), goal.id)), 'before the purge').toMatchObject({
      code: 'not_found',
    });
    await purgeRemovedGoals(as({ kind: 'system' }));
    expect(await refusalOf(restoreGoal(as(client), goal.id))).toMatchObject({ code: 'not_found' });
    expect(await db.selectFrom('goal_steps').where('goal_id', '=', goal.id).select('id').execute()).toEqual(
      [],
    );
  });

  test('returns not_found to others, whatever their role', async () => {
    const [client, stranger, doctor, chief] = [
      await addClient(db),
      await addClient(db),
      await addProvider(db),
      { ...(await addClient(db)), role: 'super_admin' as const },
    ];
    const goal = await addGoal(as(client), walk);
    const stepId = goal.steps[0]!.id;
    for (const other of [stranger, doctor, chief]) {
      const own = await addGoal(as(other), { title: 'Own', steps: [] });
      for (const attempt of [
        () => transact(as(other), (tx) => requireOwnGoal(tx, selfOf(tx), goal.id)),
        () => changeGoal(as(other), { goalId: goal.id, title: 'Mine', steps: [] }),
        () => tickStep(as(other), { goalId: goal.id, stepId, done: true }),
        () => tickStep(as(other), { goalId: own.id, stepId, done: true }),
        () => achieveGoal(as(other), goal.id, true),
        () => removeGoal(as(other), goal.id),
        () => restoreGoal(as(other), goal.id),
      ]) {
        const foreign = await refusalOf(attempt());
        expect(foreign).toMatchObject({ code: 'not_found', reason: 'goal' });
      }
      expect((await mine(other, 'open')).goals.map(({ title }) => title)).toEqual(['Own']);
    }
    expect(await goalOf(as(client), selfOf(as(client)), goal.id)).toEqual(goal);
  });

  test('is encrypted, and its text is stored nowhere else', async () => {
    const client = await addClient(db);
    await addGoal(as(client), walk);
    for (const table of ['goals', 'goal_steps', 'audit_entries', 'mails']) {
      const { rows } =
        await sql`select 1 from ${sql.table(table)} as t where t::text ~ 'walkwords|whywords|stepwords'`.execute(
          db,
        );
      expect(rows, table).toEqual([]);
    }
  });

  test('is listed in pages, newest first', async () => {
    const client = await addClient(db);
    for (let number = 0; number < 5; number++) {
      setNow(`2026-03-02T12:0${number}:00Z`);
      await addGoal(as(client), { title: `Goal ${number}`, steps: [] });
    }
    const self = selfOf(as(client));
    const first = await goalsOf(as(client), self, { state: 'open', limit: 3, offset: 0 });
    const second = await goalsOf(as(client), self, { state: 'open', limit: 3, offset: 3 });
    expect([...first.goals, ...second.goals].map(({ title }) => title)).toEqual(
      [4, 3, 2, 1, 0].map((number) => `Goal ${number}`),
    );
    expect([first.more, second.more]).toEqual([true, false]);
  });
});
