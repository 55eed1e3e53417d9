/** The largest file, in bytes, and how many one message brings, as the contracts have it; they are no part of a page. */
export const largestAttachment = 10 * 1024 * 1024;
export const mostAttachments = 5;
