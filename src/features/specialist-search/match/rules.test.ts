import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faithParts, sessionTypes, type Specialist } from '#/features/providers/contract.ts';
import { filtersOf, suggest, recommendedKind, type Answers } from './rules.ts';

const offered = ['individuals', 'couples', 'families', 'teens', 'grief', 'spiritual'];

describe('the service', () => {
  test.each<[Answers, string | null]>([
    [{}, null],
    [{ whom: 'me' }, null],
    [{ whom: 'me', weight: 'low' }, 'individuals'],
    [{ whom: 'me', weight: 'hurt' }, 'individuals'],
    [{ whom: 'me', weight: 'faith' }, 'spiritual'],
    [{ whom: 'me', weight: 'together' }, 'couples'],
    [{ whom: 'couple', weight: 'low' }, 'couples'],
    [{ whom: 'family', weight: 'together' }, 'families'],
    [{ whom: 'family', weight: 'grief' }, 'grief'],
    [{ whom: 'teen', weight: 'grief' }, 'teens'],
    [{ weight: 'other' }, null],
    [{ weight: 'life' }, 'individuals'],
  ])('of %j is %s', (answers, service) => {
    expect(filtersOf(answers, offered).serviceId ?? null).toBe(service);
    expect(filtersOf(answers, []).serviceId).toBeUndefined();
  });
});

test('recommends a doctor for illness and danger, and a pastor for faith', () => {
  for (const weight of ['low', 'hurt', 'life'] as const) expect(recommendedKind({ weight })).toBe('doctor');
  expect(recommendedKind({ weight: 'faith' })).toBe('pastor');
  expect(recommendedKind({})).toBeNull();
});

test('doesn’t filter by recommendations or open preferences', () => {
  expect(filtersOf({ weight: 'low', kind: 'unsure', faithPart: 'as_you_wish' }, offered)).toEqual({
    serviceId: 'individuals',
  });
});

function specialist(number: number, more: Partial<Specialist>): Specialist {
  return {
    id: String(number),
    name: `Person ${number}`,
    kind: 'doctor',
    faithPart: 'woven_in',
    sessionTypes: ['online'],
    serviceIds: offered,
    ...more,
  } as Specialist;
}

test('ranks the best matches first, with reasons', () => {
  const people = [
    specialist(1, { faithPart: 'woven_in' }),
    specialist(2, { kind: 'pastor', faithPart: 'central' }),
    specialist(3, { faithPart: 'as_you_wish' }),
    specialist(4, { faithPart: 'central' }),
    specialist(5, { faithPart: 'central', serviceIds: ['grief'] }),
  ];
  const answers: Answers = { weight: 'low', kind: 'unsure', faithPart: 'central', time: 'week' };
  const suggested = suggest(answers, offered, people, new Set(['3']));
  expect(suggested.map(({ specialist: { id }, reasons }) => [id, reasons])).toEqual([
    ['3', ['service', 'kind_wiser', 'faith', 'time']],
    ['4', ['service', 'kind_wiser', 'faith']],
    ['1', ['service', 'kind_wiser']],
  ]);
});

test('suggests only specialists who meet every requirement, each with a reason', () => {
  const some = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const answersOf = fc.record({
    whom: some(['me', 'couple', 'family', 'teen'] as const),
    weight: some(['low', 'hurt', 'together', 'grief', 'faith', 'other', 'life'] as const),
    kind: some(['doctor', 'pastor', 'unsure'] as const),
    faithPart: some(faithParts),
    sessionType: some(sessionTypes),
    time: some(['week', 'evenings'] as const),
  });
  const people = fc.array(
    fc.record({
      kind: fc.constantFrom('doctor' as const, 'pastor' as const),
      faithPart: fc.constantFrom(...faithParts),
      sessionTypes: fc.subarray([...sessionTypes], { minLength: 1 }),
      serviceIds: fc.subarray(offered),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(answersOf, people, (answers, drawn) => {
      const all = drawn.map((more, index) => specialist(index, more));
      const filters = filtersOf(answers, offered);
      const may = all.filter(
        (one) =>
          (filters.serviceId === undefined || one.serviceIds.includes(filters.serviceId)) &&
          (filters.sessionType === undefined || one.sessionTypes.includes(filters.sessionType)) &&
          (filters.kind === undefined || one.kind === filters.kind),
      );
      const suggested = suggest(answers, offered, all, new Set());
      expect(suggested).toHaveLength(Math.min(3, may.length));
      for (const { specialist: one, reasons } of suggested) {
        expect(may).toContain(one);
        expect(reasons.length).toBeGreaterThan(0);
        expect(reasons.includes('kind_wiser') && one.kind !== recommendedKind(answers)).toBe(false);
        expect(reasons).not.toContain('time');
      }
    }),
  );
});
