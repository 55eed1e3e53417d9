/** For how long the former address can undo a change, during which nobody signs in to the account, in hours. */
export const undoHours = 72;

/** For how long a change that nobody has confirmed keeps journals and private notes locked, in days. */
export const lockDays = 7;
