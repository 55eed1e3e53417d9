/** Documents per person, to limit disk use. */
export const documentsKept = 200;

/** Bucket of people's own files. Other buckets belong to the features using them. */
export const documents = 'documents';

/** Upload limit in bytes, regardless of bucket settings. */
export const maxDocumentBytes = 20 * 1024 * 1024;
