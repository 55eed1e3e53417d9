import limits from 'virtual:limits/appointments.book';
import type { SessionType } from '#/features/providers/contract.ts';
import { refusalReasons } from '#/web/limits.ts';
import { isCallable } from '../diary/rules.ts';

interface Checked {
  service: string | null;
  date: string | null;
  start: string | null;
  sessionType: SessionType | null;
  name: string;
  email: string;
  phone: string;
  refusedEmail: string | null;
}

type Field = 'service' | 'date' | 'time' | 'sessionType' | 'name' | 'email' | 'phone';

export const required = 'required';

/** In field order; phone sessions require a number. */
export function problemsOf(draft: Checked): Partial<Record<Field, typeof required | 'format'>> {
  const { service, date, start, sessionType, name, email, refusedEmail } = draft;
  const phone = draft.phone.trim();
  const isCalled = sessionType === 'phone';
  return {
    ...(!service && { service: required }),
    ...(!date && { date: required }),
    // Times only appear after choosing a date.
    ...(date && !start && { time: required }),
    ...(!sessionType && { sessionType: required }),
    ...(refusedEmail !== null && email.trim() === refusedEmail && { email: 'format' }),
    ...Object.fromEntries(
      refusalReasons(limits, { contact: { name, email, phone } }).map(([field, reason]) => [
        field.replace('contact.', ''),
        reason === required ? required : 'format',
      ]),
    ),
    ...(isCalled && phone && !isCallable(phone) && { phone: 'format' }),
    ...(isCalled && !phone && { phone: required }),
  };
}
