import { describe, expect, test } from 'vitest';
import { droppedSpan, pointIn, spanBetween } from './calendar-spans.ts';

const hours = { dates: ['2026-12-06', '2026-12-07'], first: 8 * 60, last: 18 * 60 };
const [sunday, monday] = hours.dates as [string, string];
const at = (date: string, hour: number, minute = 0) => ({ date, minute: hour * 60 + minute });
const span = (date: string, from: number, to: number) => ({ date, from: from * 60, to: to * 60 });

test('finds the date and minute of a point, on the edge if it lies beyond', () => {
  const box = { left: 100, top: 50, width: 200, height: 600 };
  expect(pointIn(hours, box, { x: 100, y: 50 })).toEqual(at(sunday, 8));
  expect(pointIn(hours, box, { x: 199, y: 140 })).toEqual(at(sunday, 9, 30));
  expect(pointIn(hours, box, { x: 200, y: 650 })).toEqual(at(monday, 18));
  expect(pointIn(hours, box, { x: 0, y: 0 })).toEqual(at(sunday, 8));
  expect(pointIn(hours, box, { x: 900, y: 900 })).toEqual(at(monday, 18));
});

describe('a span', () => {
  test('covers every quarter hour it touches, in either direction', () => {
    expect(spanBetween(at(sunday, 9, 5), at(sunday, 10, 20), hours)).toEqual(span(sunday, 9, 10.5));
    expect(spanBetween(at(sunday, 10, 20), at(sunday, 9, 5), hours)).toEqual(span(sunday, 9, 10.5));
  });

  test('stays on its date and within the hours, and lasts a quarter hour at least', () => {
    expect(spanBetween(at(sunday, 17), at(monday, 18), hours)).toEqual(span(sunday, 17, 18));
    expect(spanBetween(at(sunday, 9), at(sunday, 9), hours)).toEqual(span(sunday, 9, 9.25));
  });
});

describe('a dropped session', () => {
  const session = { start: 9 * 60, length: 60 };

  test('keeps its length and where it was held, on any date', () => {
    expect(droppedSpan(session, at(sunday, 9, 40), at(monday, 14, 44), hours)).toEqual(span(monday, 14, 15));
    expect(droppedSpan(session, at(sunday, 9, 40), at(sunday, 9, 50), hours)).toEqual(
      span(sunday, 9.25, 10.25),
    );
  });

  test('stays within the hours', () => {
    expect(droppedSpan(session, at(sunday, 9), at(sunday, 18), hours)).toEqual(span(sunday, 17, 18));
    expect(droppedSpan(session, at(sunday, 9, 59), at(sunday, 8), hours)).toEqual(span(sunday, 8, 9));
  });
});
