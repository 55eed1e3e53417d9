/** The longest message, in characters, as the contract has it; the contract itself is no part of a page. */
export const longestMessage = 5_000;
