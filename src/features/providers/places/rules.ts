import type { PlaceLimits } from './contract.ts';

/** Copied from the contract, whose schemas forms don't bundle. The type keeps both in sync. */
export const placeLimits: PlaceLimits = { name: 100, address: 300, town: 100, directions: 1_000, places: 30 };
