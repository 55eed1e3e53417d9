/** Maximum documents per application. */
export const maxDocuments = 5;

/** MiB per document, like the storage bucket. */
export const maxDocumentMegabytes = 10;

export const documentTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;

/** Hours until unsubmitted documents are deleted. */
export const unsentHours = 24;
