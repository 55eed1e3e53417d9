import { commonPasswords } from '../common-passwords/rules.ts';

/** Up to six digits and symbols around a common word don't make it safe. */
const maxAround = 6;

/** The site's subjects, which attackers guess first (docs/safeguards.md). */
const siteWords: ReadonlySet<string> = new Set([
  'italk',
  'italkhealth',
  'administrator',
  'appointment',
  'christian',
  'counseling',
  'counselor',
  'pastor',
  'pastoral',
  'prayer',
  'specialist',
  'therapist',
  'therapy',
  'peacebewithyou',
]);

export type PasswordFault = 'too_common' | 'is_yours';

/**
 * Rejects common passwords, words of this site, repeated or sequential characters, and the owner's name or email, even
 * with digits and symbols added (NIST SP 800-63B, section 5.1.1.2).
 */
export function passwordFault(
  password: string,
  owner: { email: string; name: string },
): PasswordFault | null {
  const typed = password.normalize('NFKC').toLowerCase();
  const core = typed.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isOfSite = siteWords.has(lettersOf(typed));
  const isCommon = typed.length - core.length <= maxAround && commonPasswords.has(core);
  if (isOfSite || isCommon || commonPasswords.has(typed) || isRow(typed)) return 'too_common';
  const [local = '', domain = ''] = owner.email.toLowerCase().split('@');
  const names = owner.name.normalize('NFKC').toLowerCase().split(/\s+/);
  const own = [owner.email, local, domain, `${local}${domain}`, names.join(''), ...names].map(lettersOf);
  return own.some((word) => word.length >= 3 && word === lettersOf(typed)) ? 'is_yours' : null;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]+/gu, '');
}

function isRow(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const step = codes[1]! - codes[0]!;
  return Math.abs(step) <= 1 && codes.slice(1).every((code, at) => code === codes[at]! + step);
}
