import { expect, test } from 'vitest';
import { routeOf } from './rules.ts';

const id = '01a229b2-64e9-7000-9042-f71a5b44ac0a';
const partId = '01a229b2-64e9-7000-9042-f71a5b44ac0b';

test('a path’s ids are its only variable parts', () => {
  expect(routeOf('DELETE', `/admin/users/${id}/factors/${partId}`)).toEqual({
    route: 'DELETE /admin/users/:id/factors/:id',
    ids: [id, partId],
  });
  expect(routeOf('GET', '/user')).toEqual({ route: 'GET /user', ids: [] });
});

test.each(['/user/identities/:id', `/admin/users/${id}/factors/:id`])(
  'the path %s, which spells a route out, has none',
  (path) => expect(routeOf('DELETE', path)).toEqual({ route: '', ids: [] }),
);
