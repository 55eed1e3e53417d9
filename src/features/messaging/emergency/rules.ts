/** What an administrator types to say that they mean it. */
export const emergencyPhrase = 'this is an emergency';
/** How short a reason can be, and how long, in characters: as the contract has it. */
export const shortestReason = 20;
export const longestReason = 2_000;
/** How long a conversation stays open, in minutes. */
export const openMinutes = 30;
/** How many of its messages are shown: the latest ones. */
export const mostShown = 200;
