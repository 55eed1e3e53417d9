import { expect, it, vi } from 'vitest';
import { noticeReader, packNotices, payloadsOf, serializeNotice, type Notice } from './notices.ts';

const notice = (data: string): Notice => ({
  topics: ['person:anna'],
  message: { type: 'signal', id: '1', data },
});
const numbers = () => {
  let last = 0;
  return () => `n${last++}`;
};

it('writes only payloads PostgreSQL accepts, for any text, and restores them', () => {
  for (const data of [
    'short',
    'x'.repeat(7_800),
    'x'.repeat(7_900),
    'ü'.repeat(20_000),
    '🕊\0"\\'.repeat(5_000),
  ]) {
    const payloads = payloadsOf(notice(data), numbers());
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
    const read = noticeReader();
    expect(payloads.flatMap(read)).toEqual([notice(data)]);
  }
});

it('packs many notices, even long ones, into few payloads in order', () => {
  const notices = ['a', 'b', 'c'.repeat(20_000), 'd', 'd', 'd'.repeat(7_850), 'e'].map(notice);
  const payloads = packNotices(notices.map(serializeNotice), numbers());
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
  expect(payloads.flatMap(noticeReader())).toEqual(notices);
  const many = Array.from({ length: 1_000 }, () => serializeNotice(notice('same')));
  const packs = packNotices(many, numbers());
  expect(packs.length).toBeLessThan(15);
  // PostgreSQL drops duplicate payloads within a transaction.
  expect(new Set(packs).size).toBe(packs.length);
});

it('reassembles interleaved parts', () => {
  const id = numbers();
  const [one, two] = [payloadsOf(notice('1'.repeat(9_000)), id), payloadsOf(notice('2'.repeat(9_000)), id)];
  const mixed = [one[0]!, two[0]!, ...payloadsOf(notice('3'), id), two[1]!, one[1]!];
  const texts = mixed.flatMap(noticeReader()).map(({ message }) => String(message?.data)[0]);
  expect(texts).toEqual(['3', '2', '1']);
});

it('discards an incomplete notice', () => {
  vi.useFakeTimers();
  const read = noticeReader(10);
  const [first, ...rest] = payloadsOf(notice('x'.repeat(9_000)), () => 'alone');
  expect(read(first!)).toEqual([]);
  vi.advanceTimersByTime(10);
  vi.useRealTimers();
  expect(rest.flatMap(read)).toEqual([]);
});
