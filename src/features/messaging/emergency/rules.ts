/** Phrase an administrator types to confirm. */
export const emergencyPhrase = 'this is an emergency';
/** Reason length in characters. */
export const shortestReason = 20;
export const longestReason = 2_000;
export const openMinutes = 30;
export const mostShown = 200;
