/** Hours the former address can undo a change; sign-in stays blocked meanwhile. */
export const undoHours = 72;

/** Days an unconfirmed change keeps journals and private notes locked. */
export const lockDays = 7;
