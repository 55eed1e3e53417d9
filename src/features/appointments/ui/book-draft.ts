import type { SessionType } from '#/features/providers/contract.ts';
import { isCallable } from '../booking/rules.ts';

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
  const { service, date, start, sessionType } = draft;
  const name = draft.name.trim();
  const email = draft.email.trim();
  const phone = draft.phone.trim();
  const isCalled = sessionType === 'phone';
  return {
    ...(!service && { service: required }),
    ...(!date && { date: required }),
    // Times only appear after choosing a date.
    ...(date && !start && { time: required }),
    ...(!sessionType && { sessionType: required }),
    ...(!name && { name: required }),
    ...(!email && { email: required }),
    ...(email &&
      (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email === draft.refusedEmail) && { email: 'format' }),
    // Same characters the server accepts.
    ...((!/^[+0-9 ().\-/x]{0,40}$/.test(phone) || (isCalled && !isCallable(phone))) && { phone: 'format' }),
    ...(isCalled && !phone && { phone: required }),
  };
}
