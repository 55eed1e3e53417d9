import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { Role } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import { channel, pagesChannel } from '#/platform/realtime/publish.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { deliveredFlags } from '../../../../tests/support/delivered-flags.ts';
import { noticesDuring } from '../../../../tests/support/outbox.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { changeFlags, setFlagScope, switchFlag, type FindPeople } from './commands.ts';
import { flagIds, type BulkAction, type FlagId, type FlagScope, type FlagView } from './contract.ts';
import { requireFlag } from './policies.ts';
import { flagsFor, flagViews, offers } from './queries.ts';
import { bulkChanges, isOffered } from './rules.ts';

const { db, as, url } = await testDatabase();
const asAdministrator = async () => {
  const { id } = await addClient(db);
  return as({ kind: 'person', id, role: 'super_admin', sessionId: newId() });
};
const chief = await asAdministrator();

const findPeople: FindPeople = (ctx, ids) =>
  ctx.db
    .selectFrom('profiles')
    .select(['id', 'role'])
    .where('id', 'in', ids.length > 0 ? ids : [null])
    .execute();

async function flag(id: FlagId): Promise<FlagView> {
  return (await flagViews(chief)).find((one) => one.id === id)!;
}

async function turn(flagId: FlagId, enabled: boolean): Promise<FlagView[]> {
  return switchFlag(chief, { flagId, enabled, version: (await flag(flagId)).version });
}

type Scope = { scope: FlagScope; roles?: Role[]; personIds?: string[] };

async function setScope(flagId: FlagId, { scope, roles: own = [], personIds = [] }: Scope) {
  const { version } = await flag(flagId);
  return setFlagScope(chief, { flagId, version, scope, roles: own, personIds }, findPeople);
}

function expectedOf(action: BulkAction, flags: readonly FlagView[]) {
  return bulkChanges(action, flags).map(({ flag: { id: flagId, version } }) => ({ flagId, version }));
}

async function bulk(action: BulkAction): Promise<FlagView[]> {
  return changeFlags(chief, { action, expected: expectedOf(action, await flagViews(chief)) });
}

async function audited(): Promise<{ action: string; details: Record<string, unknown> }[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select(['action', 'details'])
    .where('action', 'like', 'flags.%')
    .orderBy('id')
    .execute();
  return rows as never;
}

/** Notices sent to all processes while `work` runs. */
async function told(work: () => Promise<unknown>): Promise<string[]> {
  const notices = await noticesDuring(url, [channel, pagesChannel], work);
  return notices.map((one) =>
    one.channel === pagesChannel
      ? pagesChannel
      : (JSON.parse(one.payload) as { message: { type: string } }).message.type,
  );
}

afterEach(async () => {
  if (expectedOf('reset', await flagViews(chief)).length > 0) await bulk('reset');
});

test('resets flags to their shipped values', async () => {
  const delivered = await flagViews(chief);
  expect(delivered.map(({ id }) => id).toSorted()).toEqual([...flagIds].toSorted());
  for (const { id, enabled, scope, roles: own, personIds, modified, experimental } of delivered) {
    expect({ enabled, scope, roles: own, personIds }).toEqual(deliveredFlags[id]);
    expect(modified).toBeNull();
    // Two flags ship off.
    expect(experimental).toBe(!enabled);
  }
  expect(expectedOf('reset', delivered)).toEqual([]);
});

describe('a switch', () => {
  test('applies immediately, records who and when, is logged and notifies everyone', async () => {
    const client = await addClient(db);
    expect(await flagsFor(as(client))).toContain('wellness_tracking');
    const before = (await audited()).length;
    const received = await told(() => turn('wellness_tracking', false));
    expect(received.toSorted()).toEqual([pagesChannel, 'site.changed']);
    expect(await flagsFor(as(client))).not.toContain('wellness_tracking');
    expect(await refusalOf(requireFlag(as(client), 'wellness_tracking'))).toMatchObject({
      code: 'not_found',
      reason: 'feature_off',
      data: { flag: 'wellness_tracking' },
    });
    expect(await flag('wellness_tracking')).toMatchObject({
      enabled: false,
      modified: { at: '2026-03-02T12:00:00Z', byId: (chief.actor as Person).id },
    });
    expect((await audited()).slice(before)).toMatchObject([
      { action: 'flags.disabled', details: { flag: 'wellness_tracking', switch: 'on → off' } },
    ]);
    await turn('wellness_tracking', true);
    await requireFlag(as(client), 'wellness_tracking');
    expect((await audited()).at(-1)).toMatchObject({ action: 'flags.enabled' });
  });

  test('changes and announces nothing if already set', async () => {
    const before = await flagViews(chief);
    expect(await told(() => turn('wellness_tracking', true))).toEqual([]);
    expect(await flagViews(chief)).toEqual(before);
  });

  test('accepts one of two concurrent administrators and reports it to the other', async () => {
    const { version } = await flag('direct_messaging');
    const attempts = await Promise.allSettled(
      [chief, await asAdministrator()].map((ctx) =>
        switchFlag(ctx, { flagId: 'direct_messaging', version, enabled: false }),
      ),
    );
    expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(attempts.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict', reason: 'flag_changed' },
    });
    expect((await flag('direct_messaging')).version).toBe(version + 1);
  });

  test('is limited to administrators', async () => {
    for (const person of [await addClient(db), await addProvider(db)]) {
      const attempt = switchFlag(as(person), { flagId: 'video_sessions', version: 1, enabled: false });
      expect(await refusalOf(attempt)).toMatchObject({ code: 'forbidden' });
    }
    expect((await flag('video_sessions')).enabled).toBe(true);
  });
});

describe('a scope', () => {
  test('limits the feature to named people until they are removed', async () => {
    const [one, other] = [await addClient(db), await addClient(db)];
    await setScope('wellness_tracking', { scope: 'user_specific', personIds: [one.id] });
    expect(await flagsFor(as(one))).toContain('wellness_tracking');
    expect(await flagsFor(as(other))).not.toContain('wellness_tracking');
    expect(await flagsFor(as({ kind: 'guest' }))).not.toContain('wellness_tracking');
    await setScope('wellness_tracking', { scope: 'user_specific', personIds: [other.id] });
    expect(await flagsFor(as(one))).not.toContain('wellness_tracking');
    await setScope('wellness_tracking', { scope: 'global' });
    expect((await flag('wellness_tracking')).personIds).toEqual([]);
    expect(await flagsFor(as(one))).toContain('wellness_tracking');
  });

  test('of roles is rejected if empty or including an unsupported role', async () => {
    const before = await flagViews(chief);
    const refused = async (flagId: FlagId, scope: Scope) =>
      (await refusalOf(setScope(flagId, scope))).fields[0];
    expect(await refused('wellness_tracking', { scope: 'role_based' })).toEqual({
      field: 'roles',
      reason: 'required',
    });
    expect(await refused('video_sessions', { scope: 'role_based', roles: ['client'] })).toEqual({
      field: 'roles',
      reason: 'not_offered',
    });
    expect(await refused('wellness_tracking', { scope: 'user_specific' })).toEqual({
      field: 'personIds',
      reason: 'required',
    });
    expect(await refused('wellness_tracking', { scope: 'user_specific', personIds: [newId()] })).toEqual({
      field: 'personIds',
      reason: 'unknown',
    });
    const [client, provider] = [await addClient(db), await addProvider(db)];
    for (const id of flagIds.filter(isOffered))
      expect(
        await refused(id, { scope: 'user_specific', personIds: [provider.id, client.id] }),
        `${id} for a client`,
      ).toEqual({ field: 'personIds', reason: 'providers_only' });
    expect(await flagViews(chief)).toEqual(before);
  });

  test('is rejected after another administrator’s concurrent change', async () => {
    const { version } = await flag('video_sessions');
    await turn('video_sessions', false);
    const attempt = setFlagScope(
      chief,
      { flagId: 'video_sessions', version, scope: 'global', roles: [], personIds: [] },
      findPeople,
    );
    expect(await refusalOf(attempt)).toMatchObject({ code: 'conflict', reason: 'flag_changed' });
  });
});

test('selects providers with the flag on', { tags: ['long'] }, async () => {
  const [one, other] = [await addProvider(db), await addProvider(db)];
  const scopes: Scope[] = [
    { scope: 'global' },
    { scope: 'role_based', roles: ['doctor'] },
    { scope: 'role_based', roles: ['pastor'] },
    { scope: 'user_specific', personIds: [one.id] },
  ];
  let off = 0;
  for (const id of flagIds.filter(isOffered)) {
    for (const enabled of [true, false]) {
      for (const scope of scopes) {
        await setScope(id, scope);
        await turn(id, enabled);
        for (const provider of [one, other]) {
          const row = await db
            .selectFrom('providers')
            .select(
              offers(id, { id: sql.ref('providers.id'), kind: sql.ref('providers.kind') }).as('offered'),
            )
            .where('id', '=', provider.id)
            .executeTakeFirstOrThrow();
          expect(row.offered).toBe((await flagsFor(as(provider))).includes(id));
          if (!row.offered) off++;
        }
      }
    }
  }
  // Per flag: two lack the role, one isn't named, all eight excluded while off.
  expect(off).toBe(3 * (2 + 1 + 8));
});

describe('a bulk change', () => {
  test('applies to every flag shown, in one action, logging each', async () => {
    for (const id of ['direct_messaging', 'mobile_app_access', 'wellness_tracking'] as const)
      await turn(id, false);
    await turn('calendar_integration', true);
    await setScope('video_sessions', { scope: 'global' });
    const noted = (await audited()).length;

    const enabled = await bulk('enable_communication');
    expect(
      enabled.filter(({ category }) => category === 'communication').map(({ enabled: on }) => on),
    ).toEqual([true, true]);
    expect(enabled.find(({ id }) => id === 'wellness_tracking')!.enabled).toBe(false);
    const disabled = await bulk('disable_experimental');
    expect(disabled.filter(({ experimental, enabled: on }) => experimental && on)).toEqual([]);
    for (const { id, enabled: on, scope, roles: own, personIds } of await bulk('reset'))
      expect({ enabled: on, scope, roles: own, personIds }).toEqual(deliveredFlags[id]);
    // All entries of one action share a timestamp.
    const done = (await audited())
      .slice(noted)
      .map(({ action, details }) => `${action} ${String(details['by'])} ${String(details['flag'])}`);
    expect(done.toSorted()).toEqual([
      'flags.disabled disable_experimental calendar_integration',
      'flags.enabled enable_communication direct_messaging',
      'flags.enabled enable_communication mobile_app_access',
      'flags.enabled reset wellness_tracking',
      'flags.scoped reset video_sessions',
    ]);
  });

  test('is rejected whole if anything would change other than shown', async () => {
    await turn('direct_messaging', false);
    const expected = expectedOf('reset', await flagViews(chief));
    await turn('wellness_tracking', false);
    const before = await flagViews(chief);
    for (const outdated of [expected, [{ flagId: 'direct_messaging' as const, version: 1 }]]) {
      expect(await refusalOf(changeFlags(chief, { action: 'reset', expected: outdated }))).toMatchObject({
        code: 'conflict',
        reason: 'flag_changed',
      });
    }
    expect(await flagViews(chief)).toEqual(before);
  });
});
