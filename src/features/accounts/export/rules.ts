/** Hours available, and exports allowed per day. */
export const exportTerms = { hours: 24, aDay: 5 } as const;

export const archivePath = '/me/export.zip';
