/** For how many days an archive can be downloaded, and how many a person may ask for in a day. */
export const exportTerms = { days: 7, aDay: 5 } as const;
