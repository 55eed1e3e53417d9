import { m } from '#/texts/messages.js';
import { changeOf, type Compared } from '../overview/rules.ts';

const wholeNumber = new Intl.NumberFormat('en-US');

export function hoursText(hours: number): string {
  return String(Math.round(hours * 10) / 10);
}

export function ratingText(rating: number | null): string {
  return rating === null ? m.analytics_none() : rating.toFixed(1);
}

export function wholeText(number: number): string {
  return wholeNumber.format(number);
}

export function percentText(percent: number | null): string {
  return percent === null ? m.analytics_none() : m.analytics_percent({ percent });
}

export function changeText(figure: Compared): string {
  const change = changeOf(figure);
  if (change === 'new') return m.analytics_change_new();
  if (change === 0) return m.analytics_change_none();
  const percent = wholeNumber.format(Math.abs(change));
  return change > 0 ? m.analytics_change_up({ percent }) : m.analytics_change_down({ percent });
}
