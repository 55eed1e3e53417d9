import { beforeEach, expect, test } from 'vitest';
import type { Viewer } from '#/features/accounts/contract.ts';
import { noteSessionEnd } from '#/web/session-end.ts';
import { answer, refusal } from '../../../../tests/components/answers.ts';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { clearSessions, setMayKeep, storedSessions } from './store.ts';
import { storeUpcoming } from './upcoming.ts';

const client = recordedFor('client');
const person = client['accounts.me'] as Viewer;

beforeEach(async () => {
  await setMayKeep(true);
  noteSessionEnd(3_600);
  answer({ 'appointments.mine': client['appointments.mine'] });
  await storeUpcoming(person);
  return clearSessions;
});

test('keeps the stored sessions during an outage', async () => {
  answer({ 'appointments.mine': refusal(503, 'unavailable', 'maintenance') });
  await expect(storeUpcoming(person)).rejects.toThrow('unavailable');
  expect(await storedSessions()).toMatchObject({ owner: person.id });
});

test('deletes the stored sessions once the person is signed out', async () => {
  answer({ 'appointments.mine': refusal(401, 'unauthenticated', 'sign_in_required') });
  await expect(storeUpcoming(person)).rejects.toThrow('unauthenticated');
  expect(await storedSessions()).toBeNull();
});
