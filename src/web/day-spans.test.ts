import { describe, expect, test } from 'vitest';
import { droppedSpan, pointIn, spanBetween, stretchedSpan } from './day-spans.ts';

const hours = { days: ['2026-12-06', '2026-12-07'], first: 8 * 60, last: 18 * 60 };
const [sunday, monday] = hours.days as [string, string];
const at = (day: string, hour: number, minute = 0) => ({ day, minute: hour * 60 + minute });
const span = (day: string, from: number, to: number) => ({ day, from: from * 60, to: to * 60 });

test('finds the day and minute of a point, on the edge if it lies beyond', () => {
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

  test('stays on its day and within the hours, and lasts a quarter hour at least', () => {
    expect(spanBetween(at(sunday, 17), at(monday, 18), hours)).toEqual(span(sunday, 17, 18));
    expect(spanBetween(at(sunday, 9), at(sunday, 9), hours)).toEqual(span(sunday, 9, 9.25));
    expect(spanBetween(at(sunday, 9), at(sunday, 9), hours, 60)).toEqual(span(sunday, 9, 10));
    expect(spanBetween(at(sunday, 17.9), at(sunday, 18), hours, 60)).toEqual(span(sunday, 17, 18));
  });
});

describe('a dropped span', () => {
  const session = span(sunday, 9, 10);

  test('keeps its length and where it was held, on any day', () => {
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

describe('a stretched span', () => {
  const morning = span(sunday, 9, 12);

  test('has its edge at the nearest quarter hour, within the hours', () => {
    expect(stretchedSpan(morning, 'to', 13 * 60 + 7, hours)).toEqual(span(sunday, 9, 13));
    expect(stretchedSpan(morning, 'from', 8 * 60 + 8, hours)).toEqual(span(sunday, 8.25, 12));
    expect(stretchedSpan(morning, 'to', 20 * 60, hours)).toEqual(span(sunday, 9, 18));
    expect(stretchedSpan(morning, 'from', 0, hours)).toEqual(span(sunday, 8, 12));
  });

  test('keeps its shortest length', () => {
    expect(stretchedSpan(morning, 'to', 8 * 60, hours)).toEqual(span(sunday, 9, 9.25));
    expect(stretchedSpan(morning, 'from', 14 * 60, hours, 30)).toEqual(span(sunday, 11.5, 12));
  });
});
