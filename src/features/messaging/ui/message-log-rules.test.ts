import { expect, test } from 'vitest';
import type { Message } from '../contract.ts';
import {
  deliveryStatesOf,
  dividerAfterArrival,
  dividerBeforeUnread,
  isWithin,
  pageToLoad,
} from './message-log-rules.ts';

const theirs = (seq: number) => ({ seq, mine: false }) as Message;
const mine = (seq: number) => ({ seq, mine: true }) as Message;

test('puts the divider before the first unread message from the other person', () => {
  const messages = [theirs(1), mine(2), theirs(3), theirs(4)];
  expect(dividerBeforeUnread({ unread: 2, readSeq: 1 }, messages)).toBe(2);
  expect(dividerBeforeUnread({ unread: 0, readSeq: 4 }, messages)).toBe(null);
  expect(dividerBeforeUnread({ unread: 1, readSeq: 4 }, messages)).toBe(null);
});

test('moves the divider to new messages unless one below it is unread', () => {
  expect(dividerAfterArrival(null, 8, 7)).toBe(7);
  expect(dividerAfterArrival(4, 8, 7)).toBe(7);
  expect(dividerAfterArrival(4, 8, 4)).toBe(4);
  expect(dividerAfterArrival(4, 8, 5)).toBe(4);
});

test('loads the page that the reader approaches, earlier messages first', () => {
  const middle = { up: 2_000, down: 2_000, reach: 900, begins: false, behind: true };
  expect(pageToLoad(middle)).toBe(null);
  expect(pageToLoad({ ...middle, up: 100, down: 100 })).toBe('older');
  expect(pageToLoad({ ...middle, up: 100, begins: true })).toBe(null);
  expect(pageToLoad({ ...middle, down: 100 })).toBe('newer');
  expect(pageToLoad({ ...middle, down: 100, behind: false })).toBe(null);
});

test('finds the block of a message', () => {
  const block = { key: 0, messages: [theirs(3), theirs(5)] };
  expect([2, 3, 5, 6, null].map((seq) => isWithin(block, seq))).toEqual([false, true, true, false, false]);
});

test('shows the last own message read, and the last one sent after it', () => {
  expect(deliveryStatesOf([mine(1), theirs(2), mine(3)], 2)).toEqual({ read: 1, sent: 3 });
  expect(deliveryStatesOf([mine(1), mine(3)], 3)).toEqual({ read: 3, sent: null });
  expect(deliveryStatesOf([theirs(2)], 2)).toEqual({ read: null, sent: null });
});
