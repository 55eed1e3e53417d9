/** How many documents one person may keep, so that nobody fills the disk. */
export const documentsKept = 200;
