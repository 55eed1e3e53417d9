import { isCallable } from '#/features/appointments/booking/rules.ts';
import type { BookNewInput } from '#/features/care/clients/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { fieldProblems } from '#/web/failures.ts';

export const nobody = { name: '', email: '', phone: '' };

type Typed = typeof nobody;

export function personInput({ name, email, phone }: Typed): BookNewInput['client'] {
  const [typedEmail, typedPhone] = [email.trim(), phone.trim()];
  return {
    name: name.trim(),
    ...(typedEmail ? { email: typedEmail } : {}),
    ...(typedPhone ? { phone: typedPhone } : {}),
  };
}

/** `refusal` is the server's response to these same values. */
export function personProblems(
  typed: Typed,
  type: SessionType | null,
  refusal: unknown,
): Partial<Record<keyof Typed, string>> {
  const { name, email, phone } = personInput(typed);
  const refused = fieldProblems(refusal);
  const wrongEmail =
    refused.some(({ field }) => field === 'client.email') ||
    (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email));
  const isOwn = refused.some(({ reason }) => reason === 'yourself');
  return {
    ...(name ? {} : { name: m.care_record_name_missing() }),
    ...(email || phone ? {} : { email: m.schedule_for_new_contact_missing() }),
    ...(wrongEmail ? { email: isOwn ? m.care_record_email_own() : m.care_record_email_bad() } : {}),
    ...((type === 'phone' || phone) && !isCallable(phone) ? { phone: m.care_record_phone_bad() } : {}),
  };
}
