import { expect, test } from 'vitest';
import { queryOf, searchOf } from './find-search.ts';
import { meetingChoices } from './match-texts.ts';

test('ignores video sessions in the URL while the site has none', () => {
  const asked = (query: string, hasVideo: boolean) =>
    queryOf(searchOf(new URLSearchParams(query), { serviceIds: ['grief'], hasVideo }));
  expect(asked('care=grief&type=online', true)).toEqual({ care: 'grief', type: 'online' });
  expect(asked('care=grief&type=online', false)).toEqual({ care: 'grief' });
  expect(asked('type=phone', false)).toEqual({ type: 'phone' });
});

test('offers video sessions in the guided match only while the site has them', () => {
  const offered = (hasVideo: boolean) => meetingChoices(hasVideo).map(({ value }) => value);
  expect(offered(true)).toEqual(['online', 'phone', 'in-person', 'any']);
  expect(offered(false)).toEqual(['phone', 'in-person', 'any']);
});
