import { usualLengths } from '#/features/catalogue/prices/rules.ts';
import type { OwnTerms } from './contract.ts';

export interface Terms {
  bufferMinutes: number;
  advanceNoticeHours: number;
  dailyMaximum: number;
}

export const noTerms: OwnTerms = {
  sessionLengths: null,
  bufferMinutes: null,
  noticeHours: null,
  dailyMaximum: null,
};

/** Own terms can only tighten the site's. */
export function effectiveTerms<Site extends Terms>(site: Site, own: OwnTerms): Site {
  return {
    ...site,
    bufferMinutes: Math.max(site.bufferMinutes, own.bufferMinutes ?? 0),
    advanceNoticeHours: Math.max(site.advanceNoticeHours, own.noticeHours ?? 0),
    dailyMaximum: Math.min(site.dailyMaximum, own.dailyMaximum ?? Infinity),
  };
}

/**
 * Returns bookable minutes, ascending: standard lengths and the service's own, limited to the provider's choice. Never
 * empty.
 */
export function lengthsOf(serviceMinutes: number, chosen: readonly number[] | null): number[] {
  const all = [...new Set([...usualLengths, serviceMinutes])].toSorted((a, b) => a - b);
  const offered = chosen === null ? all : all.filter((length) => chosen.includes(length));
  return offered.length > 0 ? offered : [serviceMinutes];
}

/** Returns session lengths in minutes, ascending. */
export function allLengths(servicesMinutes: readonly number[]): number[] {
  return [...new Set([...usualLengths, ...servicesMinutes])].toSorted((a, b) => a - b);
}
