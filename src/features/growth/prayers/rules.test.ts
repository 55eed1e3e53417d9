import { describe, expect, test } from 'vitest';
import { roles } from '#/kernel/actor.ts';
import { isAsked, maySettle, shownName } from './rules.ts';

describe('a prayer request', () => {
  test('to one counsellor is read by that one alone, until it is taken back', () => {
    for (const role of roles) {
      for (const state of ['open', 'answered', 'closed'] as const) {
        const request = { audience: 'counsellor', providerId: 'naomi', state } as const;
        expect(isAsked(request, { id: 'naomi', role })).toBe(state !== 'closed');
        expect(isAsked(request, { id: 'other', role })).toBe(false);
      }
    }
  });

  test('that is shared is read by pastors alone, until it is taken back', () => {
    for (const role of roles) {
      for (const state of ['open', 'answered', 'closed'] as const) {
        const asked = isAsked({ audience: 'pastors', providerId: null, state }, { id: 'any', role });
        expect(asked).toBe(role === 'pastor' && state !== 'closed');
      }
    }
  });

  test('shows the name as the client chose: all of it to one counsellor, the first to pastors, or none', () => {
    const name = '  Hannah Mae Brooks';
    expect(shownName(name.trim(), { audience: 'counsellor', showName: true })).toBe('Hannah Mae Brooks');
    expect(shownName(name, { audience: 'pastors', showName: true })).toBe('Hannah');
    expect(shownName(name, { audience: 'counsellor', showName: false })).toBeNull();
    expect(shownName(name, { audience: 'pastors', showName: false })).toBeNull();
  });

  test('isn’t opened again for a counsellor who is gone', () => {
    const gone = { audience: 'counsellor', providerId: null, state: 'closed' } as const;
    expect(maySettle(gone, 'open')).toBe(false);
    expect(maySettle(gone, 'answered')).toBe(false);
    expect(maySettle(gone, 'closed')).toBe(true);
    expect(maySettle({ ...gone, audience: 'pastors' }, 'open')).toBe(true);
  });
});
