/** What one person may have uploaded without having sent it, in bytes. */
export const mostUnsent = 200 * 1024 * 1024;

/** How long what was uploaded waits to be sent, in hours. */
export const unsentHours = 24;
