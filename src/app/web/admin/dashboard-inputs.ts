/** The newest applications on the administrator's home page. */
export const pendingInput = { status: 'pending', limit: 5 } as const;

/** The specialists on the administrator's home page. */
export const directoryInput = { limit: 6 };
