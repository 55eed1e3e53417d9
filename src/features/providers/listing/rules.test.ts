import { expect, test } from 'vitest';
import { specialtiesOf } from './rules.ts';

test('splits a specialization into unique specialties, limited in length and number', () => {
  expect(specialtiesOf('Grief')).toEqual(['Grief']);
  expect(specialtiesOf(' Grief , Trauma; Grief,, ')).toEqual(['Grief', 'Trauma']);
  expect(specialtiesOf('a'.repeat(100))).toEqual(['a'.repeat(60)]);
  expect(specialtiesOf(Array.from({ length: 20 }, (_, index) => `t${index}`).join(','))).toHaveLength(12);
});
