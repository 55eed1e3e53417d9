import type { LongestReason } from './contract.ts';

/** Duplicates the contract's limit so forms don't load its schemas. */
export const longestReason: LongestReason = 500;

/** Maximum matching people; beyond that, narrow the search. */
export const mostPeople = 50;
