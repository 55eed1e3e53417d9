import { expect, test } from 'vitest';
import { digestOf, beginning, hashOf } from './queries.ts';
import { canonicalForm, type SealedEntry } from './rules.ts';

const entry: SealedEntry = {
  id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  at: '2026-03-02T12:00:00.123456Z',
  actor_kind: 'person',
  actor_id: '0190a1b2-0000-7000-8000-000000000001',
  actor_name: null,
  action: 'booking.booked',
  category: 'service_management',
  subject_kind: 'booking',
  subject_id: '0190a1b2-0000-7000-8000-000000000002',
  details: { sessions: 4, by: 'client', recurrence: 'weekly' },
  request_id: 'request "1"\n',
  success: true,
  address_mark: null,
};

test('serializes an entry the same for any order of its details', () => {
  const written =
    '["italk.audit.1","0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b","2026-03-02T12:00:00.123456Z","person","0190a1b2-0000-7000-8000-000000000001",null,"booking.booked","service_management","booking","0190a1b2-0000-7000-8000-000000000002",{"by":"client","recurrence":"weekly","sessions":4},"request \\"1\\"\\n",true]';
  expect(canonicalForm(entry, 1)).toBe(written);
  const turned = { recurrence: 'weekly', by: 'client', sessions: 4 };
  expect(canonicalForm({ ...entry, details: turned }, 1)).toBe(written);
  expect(canonicalForm({ ...entry, details: { b: [{ z: 1, a: null }], a: {} } }, 1)).toContain(
    '{"a":{},"b":[{"a":null,"z":1}]}',
  );
});

test('includes the hash of the address in the second format', () => {
  const mark = 'ab'.repeat(32);
  expect(canonicalForm({ ...entry, address_mark: mark }, 1)).toBe(canonicalForm(entry, 1));
  expect(canonicalForm({ ...entry, address_mark: mark }, 2)).toBe(
    `${canonicalForm(entry, 1).replace('audit.1', 'audit.2').slice(0, -1)},"${mark}"]`,
  );
});

// Computed independently: printf '%s' "$canonical" | sha256sum, and for the link { head -c 32 /dev/zero; printf
// '\0\0\0\0\0\0\0\1'; printf '%s' "$digest" | xxd -r -p; } | sha256sum
test('matches digests and links from independent tools', () => {
  const digest = digestOf(entry, 1);
  expect(digest.toString('hex')).toBe('1e92abd53ce58e18e51a11b9416abc925370726f3fcbbb0693e044dea5cdb6d4');
  expect(hashOf(beginning, 1, digest).toString('hex')).toBe(
    '65e3056c9afc3fb995d0258b5cf844809ec52000a532b50967689fc3671ccfa4',
  );
});
