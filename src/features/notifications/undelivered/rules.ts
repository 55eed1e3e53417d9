import type { Fault } from '../contract.ts';

/** Classifies a stored fault by its reply code (RFC 5321, section 4.2.3), preferring the enhanced code (RFC 3463). */
export function classifyFault(fault: string): Fault {
  if (fault === 'no_answer') return 'unreachable';
  if (fault === 'expired') return 'expired';
  const [code = '', enhanced = ''] = fault.split(' ');
  if (enhanced.startsWith('5.1.') || enhanced === '5.2.1') return 'address';
  if (enhanced === '5.2.2') return 'full';
  if (enhanced === '5.2.3' || enhanced === '5.3.4') return 'too_large';
  if (enhanced.startsWith('5.7.')) return 'blocked';
  return byCode[code] ?? 'other';
}

const byCode: Readonly<Record<string, Fault>> = {
  '550': 'address',
  '551': 'address',
  '552': 'full',
  '553': 'address',
  '554': 'blocked',
};

export function codeOf(fault: string): string | null {
  return fault === 'no_answer' || fault === 'expired' ? null : fault;
}

/** Keeps the first letters and the domain. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const name = address.slice(0, Math.max(at, 0));
  return `${name.slice(0, name.length > 3 ? 2 : 1)}•••${at < 0 ? '' : address.slice(at)}`;
}
