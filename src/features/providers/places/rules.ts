import type { PlaceLimits } from './contract.ts';

/** The contract's limits for forms, which don't load its shapes; the type holds the two together. */
export const placeLimits: PlaceLimits = { name: 100, address: 300, town: 100, directions: 1_000, places: 30 };
