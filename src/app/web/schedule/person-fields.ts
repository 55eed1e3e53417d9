import limits from 'virtual:limits/care.records.book';
import { isCallable } from '#/features/appointments/booking/rules.ts';
import type { BookNewInput } from '#/features/care/clients/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { fieldProblems } from '#/web/failures.ts';
import { refusalReasons } from '#/web/limits.ts';

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
  const client = personInput(typed);
  const refused = fieldProblems(refusal);
  const bad = new Set([
    ...refused.map(({ field }) => field),
    ...refusalReasons(limits, { client }).map(([field]) => field),
  ]);
  const isOwn = refused.some(({ reason }) => reason === 'yourself');
  const isCalled = type === 'phone' || client.phone !== undefined;
  return {
    ...(client.email || client.phone ? {} : { email: m.schedule_for_new_contact_missing() }),
    ...(bad.has('client.name') ? { name: m.care_record_name_missing() } : {}),
    ...(bad.has('client.email')
      ? { email: isOwn ? m.care_record_email_own() : m.care_record_email_bad() }
      : {}),
    ...(bad.has('client.phone') || (isCalled && !isCallable(client.phone))
      ? { phone: m.care_record_phone_bad() }
      : {}),
  };
}
