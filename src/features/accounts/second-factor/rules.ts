/** How many codes on paper a person gets at once. */
export const backupCodeCount = 10;

/** What codes on paper are made of: no letter that could be read as a digit (Crockford's Base32). */
export const backupAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Letters of a code on paper: 60 bits. */
export const backupCodeLength = 12;

/** A code as it is compared: without what people put between its parts, and with the letters that were meant. */
export function plainCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

/** Whether a plain code is one of an authenticator app, not one on paper. */
export function isAppCode(plain: string): boolean {
  return /^\d{6}$/.test(plain);
}

/** A code on paper as people read it: in groups of four. */
export function grouped(plain: string): string {
  return plain.replaceAll(/(.{4})(?=.)/g, '$1-');
}
