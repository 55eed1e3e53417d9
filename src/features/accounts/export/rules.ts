/** For how many hours an archive can be downloaded, and how many a person may ask for in a day. */
export const exportTerms = { hours: 24, aDay: 5 } as const;

/** The path under `/api` that gives a person their archive. */
export const archivePath = '/me/export.zip';
