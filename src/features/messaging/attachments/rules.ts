/** In bytes. */
export const largestAttachment = 10 * 1024 * 1024;
