/** In characters. Copied from the contract, which isn't bundled. */
export const longestMessage = 5_000;
