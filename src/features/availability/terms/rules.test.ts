import { expect, test } from 'vitest';
import { allLengths, effectiveTerms, lengthsOf, noTerms } from './rules.ts';

const site = { bufferMinutes: 15, advanceNoticeHours: 24, dailyMaximum: 8 };

test('lets a provider inherit or narrow the site’s terms, never widen them', () => {
  expect(effectiveTerms(site, noTerms)).toEqual(site);
  const narrower = { ...noTerms, bufferMinutes: 30, noticeHours: 48, dailyMaximum: 4 };
  expect(effectiveTerms(site, narrower)).toEqual({
    bufferMinutes: 30,
    advanceNoticeHours: 48,
    dailyMaximum: 4,
  });
  // The site's terms became stricter later.
  const wider = { ...noTerms, bufferMinutes: 0, noticeHours: 1, dailyMaximum: 20 };
  expect(effectiveTerms(site, wider)).toEqual(site);
});

test('offers a service’s usual and own lengths that the provider offers, at least its own', () => {
  expect(lengthsOf(75, null)).toEqual([30, 60, 75, 90]);
  expect(lengthsOf(60, null)).toEqual([30, 60, 90]);
  expect(lengthsOf(75, [60, 75, 120])).toEqual([60, 75]);
  expect(lengthsOf(45, [120])).toEqual([45]);
  expect(allLengths([75, 60, 45, 75])).toEqual([30, 45, 60, 75, 90]);
});
