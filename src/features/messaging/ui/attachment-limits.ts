/** Largest file in bytes and files per message. Copied from the contracts, which aren't bundled. */
export const largestAttachment = 10 * 1024 * 1024;
export const mostAttachments = 5;
