import type { SessionType } from '#/features/providers/contract.ts';
import { isCallable } from '../input/rules.ts';

/** What the form holds, as far as something can be wrong with it. */
interface Checked {
  service: string | null;
  date: string | null;
  start: string | null;
  sessionType: SessionType | null;
  name: string;
  email: string;
  phone: string;
  /** The address that the server didn't take for one. */
  refusedEmail: string | null;
}

type Field = 'service' | 'date' | 'time' | 'sessionType' | 'name' | 'email' | 'phone';

/** The problem of a required field that is empty. */
export const required = 'required';

/** What is wrong with which fields, in the order in which they stand; the phone number is optional but for a session by phone. */
export function problemsOf(draft: Checked): Partial<Record<Field, typeof required | 'format'>> {
  const { service, date, start, sessionType } = draft;
  const name = draft.name.trim();
  const email = draft.email.trim();
  const phone = draft.phone.trim();
  const isCalled = sessionType === 'phone';
  return {
    ...(!service && { service: required }),
    ...(!date && { date: required }),
    // The times appear once there is a date.
    ...(date && !start && { time: required }),
    ...(!sessionType && { sessionType: required }),
    ...(!name && { name: required }),
    ...(!email && { email: required }),
    ...(email &&
      (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email === draft.refusedEmail) && { email: 'format' }),
    // The same characters as on the server.
    ...((!/^[+0-9 ().\-/x]{0,40}$/.test(phone) || (isCalled && !isCallable(phone))) && { phone: 'format' }),
    ...(isCalled && !phone && { phone: required }),
  };
}
