import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { roles, type Role } from '#/kernel/actor.ts';
import { deliveredFlags } from '../../../../tests/support/delivered-flags.ts';
import { flagIds, type FlagCategory, type FlagId, type FlagScope } from './contract.ts';
import {
  bulkChanges,
  categoryOrder,
  flagsOn,
  isOffered,
  isSameState,
  rolesFor,
  type Flag,
  type FlagState,
} from './rules.ts';

const flag = (more: Partial<Flag>): Flag => ({
  id: 'wellness_tracking',
  enabled: true,
  scope: 'global',
  roles: [],
  chosen: false,
  ...more,
});
const isOn = (more: Partial<Flag>, role: Role | null) => flagsOn([flag(more)], role).length === 1;

describe('a feature flag', () => {
  it('is off for everyone while disabled, whatever its scope', () => {
    for (const scope of ['global', 'role_based', 'user_specific'] as const)
      for (const role of [null, ...roles])
        for (const id of flagIds)
          expect(isOn({ id, enabled: false, scope, roles, chosen: true }, role)).toBe(false);
  });

  it('is on for everyone when global', () => {
    for (const role of [null, ...roles]) expect(isOn({}, role)).toBe(true);
  });

  it('is on only for its roles, and for guests, when role-based', () => {
    const some = { scope: 'role_based', roles: ['doctor', 'super_admin'] } as const;
    expect([null, ...roles].filter((role) => isOn(some, role))).toEqual([null, 'super_admin', 'doctor']);
  });

  it('is on only for named people when user-specific', () => {
    for (const role of [null, ...roles]) {
      expect(isOn({ scope: 'user_specific', chosen: false, roles }, role)).toBe(false);
      expect(isOn({ scope: 'user_specific', chosen: true }, role)).toBe(true);
    }
  });

  it('for a provider-offered feature limits only providers', () => {
    for (const id of ['video_sessions', 'group_sessions', 'direct_messaging'] as const) {
      for (const scope of ['role_based', 'user_specific'] as const) {
        const some = { id, scope, roles: ['doctor'], chosen: false } as const;
        expect(isOn(some, 'client')).toBe(true);
        expect(isOn(some, null)).toBe(true);
        expect(isOn(some, 'pastor')).toBe(false);
        expect(isOn(some, 'super_admin')).toBe(true);
        expect(isOn(some, 'doctor')).toBe(scope === 'role_based');
      }
    }
  });
});

test('allows only provider roles for features that providers offer', () => {
  for (const id of flagIds.filter(isOffered)) expect(rolesFor(id)).toEqual(['doctor', 'pastor']);
  for (const id of flagIds) {
    expect(rolesFor(id).length).toBeGreaterThan(0);
    for (const role of deliveredFlags[id].roles) expect(rolesFor(id)).toContain(role);
  }
});

describe('bulk flag changes', () => {
  const state = fc.record({
    enabled: fc.boolean(),
    scope: fc.constantFrom<FlagScope>('global', 'role_based', 'user_specific'),
    roles: fc.subarray<Role>([...roles]),
    personIds: fc.subarray(['a', 'b', 'c']),
  });
  const known = { category: fc.constantFrom<FlagCategory>(...categoryOrder), experimental: fc.boolean() };
  const site = fc
    .tuple(...flagIds.map(() => fc.tuple(state, fc.record(known))))
    .map((all) => all.map(([now, rest], index) => ({ id: flagIds[index] as FlagId, ...now, ...rest })));
  const after = (
    flags: readonly (FlagState & { id: FlagId })[],
    action: Parameters<typeof bulkChanges>[0],
  ) => {
    const changes = bulkChanges(action, flags as never) as { flag: { id: FlagId }; to: FlagState }[];
    return flags.map((one) => ({ ...one, ...changes.find(({ flag: { id } }) => id === one.id)?.to }));
  };

  it('affect only matching flags, and nothing when repeated', () => {
    fc.assert(
      fc.property(site, (flags) => {
        const on = after(flags, 'enable_communication');
        const off = after(flags, 'disable_experimental');
        for (const [index, one] of flags.entries()) {
          expect(on[index]).toEqual({ ...one, enabled: one.enabled || one.category === 'communication' });
          expect(off[index]).toEqual({ ...one, enabled: one.enabled && !one.experimental });
        }
        for (const one of after(flags, 'reset')) expect(isSameState(one, deliveredFlags[one.id])).toBe(true);
        for (const action of ['enable_communication', 'disable_experimental', 'reset'] as const)
          expect(bulkChanges(action, after(flags, action) as never)).toEqual([]);
      }),
    );
  });
});
