import type { LongestReason } from './contract.ts';

/** The contract's limit for forms, which don't load its shapes. */
export const longestReason: LongestReason = 500;

/** So many people that words fit are looked through for appointments; of more, the words have to say more. */
export const mostPeople = 50;
