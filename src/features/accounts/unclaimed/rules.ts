const ending = '@unclaimed.invalid';

/** Returns an undeliverable placeholder (RFC 2606, section 2). */
export function unclaimedAddress(personId: string): string {
  return `${personId}${ending}`;
}

export function isUnclaimed({ email }: { email: string }): boolean {
  return email.endsWith(ending);
}

/** Returns null for a placeholder. */
export function knownAddress(email: string): string | null {
  return email.endsWith(ending) ? null : email;
}
