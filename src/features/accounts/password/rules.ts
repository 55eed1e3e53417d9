import { commonPasswords } from '../common-passwords/rules.ts';

/** So many digits and signs around a common word are guessed with it. */
const mostAround = 6;

/** Why a password can't be chosen: everybody tries it, or everybody who knows its owner does. */
export type PasswordFault = 'too_common' | 'is_yours';

/**
 * What is wrong with a new password besides its length (NIST SP 800-63B, section 5.1.1.2): it is on the list of common
 * ones, repeats or counts up its characters, or is its owner's name or address, also with digits and signs around it.
 */
export function passwordFault(
  password: string,
  owner: { email: string; name: string },
): PasswordFault | null {
  const typed = password.normalize('NFKC').toLowerCase();
  const core = typed.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isCommon = typed.length - core.length <= mostAround && commonPasswords.has(core);
  if (isCommon || commonPasswords.has(typed) || isRow(typed)) return 'too_common';
  const [local = '', domain = ''] = owner.email.toLowerCase().split('@');
  const names = owner.name.normalize('NFKC').toLowerCase().split(/\s+/);
  const own = [owner.email, local, domain, `${local}${domain}`, names.join(''), ...names].map(lettersOf);
  return own.some((word) => word.length >= 3 && word === lettersOf(typed)) ? 'is_yours' : null;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, '');
}

/** Whether every character is the one before it, or the next or former one of its alphabet: `aaaaaaaa`, `23456789`. */
function isRow(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const step = codes[1]! - codes[0]!;
  return Math.abs(step) <= 1 && codes.slice(1).every((code, at) => code === codes[at]! + step);
}
