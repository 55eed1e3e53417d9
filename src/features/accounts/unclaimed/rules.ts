const ending = '@unclaimed.invalid';

/** The address of an account that nobody has claimed: no mail can be sent to it (RFC 2606, section 2). */
export function unclaimedAddress(personId: string): string {
  return `${personId}${ending}`;
}

/** Whether an account was made for somebody who hasn't claimed it: nobody can sign in to it. */
export function isUnclaimed({ email }: { email: string }): boolean {
  return email.endsWith(ending);
}

/** A stored address as others may read it: null where it only stands for a missing one. */
export function knownAddress(email: string): string | null {
  return email.endsWith(ending) ? null : email;
}
