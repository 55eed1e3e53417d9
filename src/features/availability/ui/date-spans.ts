import type { AvailabilityView } from '../contract.ts';
import { longestRange } from '../dates/rules.ts';
import { dayAfter } from './day-texts.ts';

type OwnDate = AvailabilityView['dates'][number];

export interface DateSpan extends Omit<OwnDate, 'date'> {
  from: string;
  to: string;
}

/** Merges consecutive identical dates, as many as one request may change; holidays stay separate. */
export function groupedDates(dates: readonly OwnDate[]): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const { date, ...rest } of dates) {
    const last = spans.at(-1);
    const follows = last && dayAfter(last.to) === date && date < dayAfter(last.from, longestRange);
    if (follows && haveSameHours(last, rest)) last.to = date;
    else spans.push({ from: date, to: date, ...rest });
  }
  return spans;
}

function haveSameHours(one: Omit<OwnDate, 'date'>, other: Omit<OwnDate, 'date'>): boolean {
  return (
    one.note === other.note &&
    one.holiday === null &&
    other.holiday === null &&
    JSON.stringify(one.windows) === JSON.stringify(other.windows)
  );
}
