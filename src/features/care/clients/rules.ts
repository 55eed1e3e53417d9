import { refuseSending } from '#/features/attendees/rules.ts';

/** Returns null if an invitation can be sent. Instants are epoch milliseconds. */
export function refuseInvitation(
  record: { email: string | null; sends: number; sentAt: number | null; declined: boolean },
  now: number,
): 'no_email' | 'invitation_declined' | 'too_many_sends' | 'just_sent' | null {
  if (record.email === null) return 'no_email';
  if (record.declined) return 'invitation_declined';
  if (record.sentAt === null) return null;
  const refusal = refuseSending({ state: 'invited', sends: record.sends, sentAt: record.sentAt }, now);
  return refusal === 'invitation_answered' ? null : refusal;
}
