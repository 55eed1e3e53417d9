import { backupAlphabet, grouped, plainCode } from '../second-factor/rules.ts';

/** 160 bits in Crockford's Base32. */
const characters = 32;

/** Formats a recovery secret in groups of four. */
export function recoveryText(secret: Uint8Array): string {
  const bits = Array.from(secret, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return grouped(bits.replaceAll(/.{5}/g, (five) => backupAlphabet[Number.parseInt(five, 2)]!));
}

/** Reads a recovery key typed with any separators and case; null if it can't be one. */
export function recoverySecret(typed: string): Uint8Array | null {
  const plain = plainCode(typed);
  if (plain.length !== characters) return null;
  const values = Array.from(plain, (one) => backupAlphabet.indexOf(one));
  if (values.includes(-1)) return null;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g)!, (eight) => Number.parseInt(eight, 2));
}
