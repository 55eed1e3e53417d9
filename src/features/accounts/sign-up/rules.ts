/** How long the browser that signed up can confirm its address, or ask for the link again. A link itself lasts a day. */
export const proofDays = 7;

/** How long a sign-up waits: a link that is asked for on the last day lasts its day. */
export const signUpDays = proofDays + 1;
