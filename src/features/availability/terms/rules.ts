import { usualLengths } from '#/features/catalogue/prices/rules.ts';
import type { OwnTerms } from '../contract.ts';

/** What decides about every start, of the site or of one provider under it. */
export interface Terms {
  bufferMinutes: number;
  advanceNoticeHours: number;
  dailyMaximum: number;
}

/** A provider who leaves everything to the site. */
export const noTerms: OwnTerms = {
  sessionLengths: null,
  bufferMinutes: null,
  noticeHours: null,
  dailyMaximum: null,
};

/** The site's terms as a provider narrows them: never less buffer or notice, never more sessions in a day. */
export function effectiveTerms<Site extends Terms>(site: Site, own: OwnTerms): Site {
  return {
    ...site,
    bufferMinutes: Math.max(site.bufferMinutes, own.bufferMinutes ?? 0),
    advanceNoticeHours: Math.max(site.advanceNoticeHours, own.noticeHours ?? 0),
    dailyMaximum: Math.min(site.dailyMaximum, own.dailyMaximum ?? Infinity),
  };
}

/**
 * The lengths that a service can be booked at, ascending, in minutes: those of the usual ones and its own that the
 * provider has chosen; a service of which they chose none keeps its own.
 */
export function lengthsOf(serviceMinutes: number, chosen: readonly number[] | null): number[] {
  const all = [...new Set([...usualLengths, serviceMinutes])].toSorted((a, b) => a - b);
  const kept = chosen === null ? all : all.filter((length) => chosen.includes(length));
  return kept.length > 0 ? kept : [serviceMinutes];
}

/** Every length that some service of a provider may have, ascending, in minutes. */
export function allLengths(servicesMinutes: readonly number[]): number[] {
  return [...new Set([...usualLengths, ...servicesMinutes])].toSorted((a, b) => a - b);
}
