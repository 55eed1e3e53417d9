import { expect, test } from 'vitest';
import { queryOf, searchOf } from './find-search.ts';
import { meetingChoices } from './match-texts.ts';

test('a site without sessions by video looks for none, whatever the address asks for', () => {
  const asked = (query: string, hasVideo: boolean) =>
    queryOf(searchOf(new URLSearchParams(query), { serviceIds: ['grief'], hasVideo }));
  expect(asked('care=grief&type=online', true)).toEqual({ care: 'grief', type: 'online' });
  expect(asked('care=grief&type=online', false)).toEqual({ care: 'grief' });
  expect(asked('type=phone', false)).toEqual({ type: 'phone' });
});

test('the guided match offers sessions by video only where the site has them', () => {
  const offered = (hasVideo: boolean) => meetingChoices(hasVideo).map(({ value }) => value);
  expect(offered(true)).toEqual(['online', 'phone', 'in-person', 'any']);
  expect(offered(false)).toEqual(['phone', 'in-person', 'any']);
});
