import { describe, expect, test } from 'vitest';
import { roles } from '#/kernel/actor.ts';
import { isAsked, maySettle, shownName } from './rules.ts';

describe('a prayer request', () => {
  test('to one counselor is visible only to them, until closed', () => {
    for (const role of roles) {
      for (const state of ['open', 'answered', 'closed'] as const) {
        const request = { audience: 'counsellor', providerId: 'naomi', state } as const;
        expect(isAsked(request, { id: 'naomi', role })).toBe(state !== 'closed');
        expect(isAsked(request, { id: 'other', role })).toBe(false);
      }
    }
  });

  test('shared with pastors is visible only to pastors, until closed', () => {
    for (const role of roles) {
      for (const state of ['open', 'answered', 'closed'] as const) {
        const asked = isAsked({ audience: 'pastors', providerId: null, state }, { id: 'any', role });
        expect(asked).toBe(role === 'pastor' && state !== 'closed');
      }
    }
  });

  test('shows a counselor the full name, pastors the first name, or no name, as chosen', () => {
    const name = '  Hannah Mae Brooks';
    expect(shownName(name.trim(), { audience: 'counsellor', showName: true })).toBe('Hannah Mae Brooks');
    expect(shownName(name, { audience: 'pastors', showName: true })).toBe('Hannah');
    expect(shownName(name, { audience: 'counsellor', showName: false })).toBeNull();
    expect(shownName(name, { audience: 'pastors', showName: false })).toBeNull();
  });

  test('can’t be reopened once its counselor is gone', () => {
    const gone = { audience: 'counsellor', providerId: null, state: 'closed' } as const;
    expect(maySettle(gone, 'open')).toBe(false);
    expect(maySettle(gone, 'answered')).toBe(false);
    expect(maySettle(gone, 'closed')).toBe(true);
    expect(maySettle({ ...gone, audience: 'pastors' }, 'open')).toBe(true);
  });
});
