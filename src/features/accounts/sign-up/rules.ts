/** How long the same browser can confirm, or request another link. */
export const proofDays = 7;

/** Links requested on the last day still last a full day. */
export const signUpDays = proofDays + 1;
