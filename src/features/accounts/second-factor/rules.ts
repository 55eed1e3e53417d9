export const backupCodeCount = 10;

/** Crockford's Base32: no letters that look like digits. */
export const backupAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 60 bits. */
export const backupCodeLength = 12;

/** Strips separators and maps lookalike letters. */
export function plainCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

export function isAppCode(plain: string): boolean {
  return /^\d{6}$/.test(plain);
}

export function grouped(plain: string): string {
  return plain.replaceAll(/(.{4})(?=.)/g, '$1-');
}
