import { expect, test } from 'vitest';
import { roomMessageOf } from './room-messages.ts';

const read = (type: string, data?: unknown, id = 'a') => roomMessageOf({ type, id, data }, 'a');

test('reads messages about the session’s own room', () => {
  expect(read('room.here', { peerId: 'p' })).toEqual({ kind: 'entered', peerId: 'p' });
  expect(read('room.changed')).toEqual({ kind: 'changed' });
  expect(read('room.signal', { from: 'p', signal: 1 })).toEqual({ kind: 'signal', from: 'p', signal: 1 });
  expect(read('room.changed', undefined, 'b')).toBe(null);
  expect(read('messages.changed')).toBe(null);
});

test('reads connections and refusals, which name no room', () => {
  expect(read('connected', undefined, '')).toEqual({ kind: 'connected' });
  const refused = (type: string, reason: string) => read('refused', { type, reason }, '');
  expect(refused('room.enter', 'room_full')).toEqual({ kind: 'refused', reason: 'room_full' });
  expect(refused('room.signal', 'not_in_room')).toEqual({ kind: 'not_in_room' });
  expect(refused('room.signal', 'too_large')).toBe(null);
  expect(refused('messages.typing', 'not_in_room')).toBe(null);
});
