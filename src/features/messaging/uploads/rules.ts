/** Unsent uploads per person, in bytes. */
export const mostUnsent = 200 * 1024 * 1024;

/** In hours. */
export const unsentHours = 24;
