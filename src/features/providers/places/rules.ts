/** Maximum lengths in characters; `places` includes closed ones. */
export const placeLimits = { name: 100, address: 300, town: 100, directions: 1_000, places: 30 } as const;
