import { expect, it } from 'vitest';
import { flagsOn, type Flag } from './rules.ts';

const flag = (more: Partial<Flag>): Flag => ({
  id: 'video_sessions',
  enabled: true,
  scope: 'global',
  roles: [],
  ...more,
});

it('shows nobody a flag that is off', () => {
  for (const role of [null, 'client', 'doctor', 'super_admin'] as const) {
    expect(flagsOn([flag({ enabled: false })], role)).toEqual([]);
  }
});

it('lets a role-based flag be offered by its roles only, and joined by clients and seen by guests', () => {
  const roleBased = [flag({ scope: 'role_based', roles: ['doctor'] })];
  expect(flagsOn(roleBased, 'doctor')).toEqual(['video_sessions']);
  expect(flagsOn(roleBased, 'client')).toEqual(['video_sessions']);
  expect(flagsOn(roleBased, null)).toEqual(['video_sessions']);
  expect(flagsOn(roleBased, 'pastor')).toEqual([]);
  expect(flagsOn(roleBased, 'super_admin')).toEqual([]);
});
