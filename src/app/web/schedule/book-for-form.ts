import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/care.records.book';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import type { AppointmentView, Recurrence } from '#/features/appointments/appointment/contract.ts';
import type { BookForInput } from '#/features/appointments/booking/contract.ts';
import { isCallable } from '#/features/appointments/diary/rules.ts';
import { offerOf } from '#/features/appointments/ui/booking-offer.ts';
import { clearingError, useBookingRequest } from '#/features/appointments/ui/booking-request.ts';
import { useFreeTimes } from '#/features/appointments/ui/free-times-choice.ts';
import type { BookNewInput } from '#/features/care/clients/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { dateIn } from '#/web/times.ts';
import { fieldProblems } from '#/web/failures.ts';
import { refusalReasons } from '#/web/limits.ts';
import { instantAt, timeValue } from './wall-time.ts';

type Problem = 'client' | 'name' | 'email' | 'service' | 'date' | 'time' | 'type' | 'phone';

type Wanted = BookForInput | BookNewInput;

interface Options {
  startsAt: string | null;
  date: string;
  timeZone: string;
  onBooked: (appointments: AppointmentView[], name: string) => void;
  onIncomplete: () => void;
}

export function useBookForForm({ startsAt, date, timeZone, onBooked, onIncomplete }: Options) {
  const queries = useQueryClient();
  const site = useSite();
  const providerId = useViewer()!.id;
  const [marked, setMarked] = useState(false);
  const forWhom = useForWhom();
  const { who, person, client, phone } = forWhom;
  const [draft, setDraft] = useState({
    serviceId: null as string | null,
    sessionType: null as SessionType | null,
    durationMinutes: null as number | null,
    recurrence: 'one_time' as Recurrence,
    sessions: 4,
    outsideHours: false,
    date: startsAt ? dateIn(startsAt, timeZone) : date,
    time: startsAt ? timeValue(startsAt, timeZone) : '',
  });

  const services = useQuery(api.catalogue.services.queryOptions());
  const specialist = useQuery(api.providers.get.queryOptions({ input: { id: providerId } }));
  const offer = offerOf(services.data, specialist.data, site, { ...draft, serviceIds: [draft.serviceId] });
  const { service, durationMinutes, type } = offer;
  const times = useFreeTimes({
    providerId,
    durationMinutes,
    sessionType: type,
    zone: timeZone,
    ...(startsAt ? { startsAt } : {}),
    onDate: date,
  });
  const typedStart = draft.date && draft.time ? instantAt(draft.date, draft.time, timeZone) : undefined;
  const start = draft.outsideHours ? (typedStart ?? null) : times.start;

  const book = useBookingRequest(
    (input: Wanted, within) =>
      'client' in input
        ? api.care.records.book.call(input, within)
        : api.appointments.bookFor.call(input, within),
    ({ appointments }) => {
      onBooked(appointments, (who === 'new' ? person.name.trim() : client?.name) ?? '');
      void queries.invalidateQueries({ queryKey: api.care.key() });
    },
  );
  const problems: Partial<Record<Problem, string>> = {
    ...(who === 'new' ? personProblems(person, type, book.error) : {}),
    ...(who === 'new' || client ? {} : { client: m.schedule_for_client_missing() }),
    ...(service ? {} : { service: m.booking_service_required() }),
    ...(type ? {} : { type: m.booking_session_type_required() }),
    ...(who === 'existing' && type === 'phone' && !isCallable(phone)
      ? { phone: m.schedule_for_phone_missing() }
      : {}),
    ...(draft.outsideHours ? typedProblems(draft, typedStart) : freeProblems(times)),
  };
  const submit = () => {
    if (book.isSending()) return;
    setMarked(true);
    if (Object.keys(problems).length > 0 || !service || !type || !start) return onIncomplete();
    const whom =
      who === 'new'
        ? { client: personInput(person) }
        : client && { clientId: client.id, ...(type === 'phone' ? { phone: phone.trim() } : {}) };
    if (!whom) return onIncomplete();
    book.send({
      idempotencyKey: book.key,
      ...whom,
      serviceId: service.id,
      startsAt: start,
      durationMinutes,
      sessionType: type,
      recurrence: draft.recurrence,
      sessions: draft.sessions,
      outsideHours: draft.outsideHours,
    });
  };
  const change = (next: Partial<typeof draft>) => {
    setDraft((last) => ({ ...last, ...next }));
    book.forget();
  };
  return {
    ...offer,
    ...forWhom,
    changeWhom(next: Partial<ForWhom>) {
      forWhom.changeWhom(next);
      book.forget();
    },
    services,
    specialist,
    draft,
    change,
    start,
    times: clearingError(times, book.forget),
    take(next: string) {
      times.chooseStart(next);
      change({ date: dateIn(next, timeZone), time: timeValue(next, timeZone) });
    },
    problems: marked ? problems : {},
    book,
    submit,
  };
}

export type BookForForm = ReturnType<typeof useBookForForm>;

interface ForWhom {
  who: 'existing' | 'new';
  /** Includes the name, since new searches replace the results. */
  client: { id: string; name: string } | null;
  /** Null keeps the client's last phone number. */
  phone: string | null;
  person: typeof nobody;
}

/** A client found by name, or a new person. */
function useForWhom() {
  const [search, setSearch] = useState('');
  const [whom, setWhom] = useState<ForWhom>({ who: 'existing', client: null, phone: null, person: nobody });
  const { client } = whom;
  const clients = useQuery({
    ...api.care.clients.list.queryOptions({ input: { search, order: 'last', limit: 50 } }),
    placeholderData: (last) => last,
  });
  const known = useQuery({
    ...api.care.clients.get.queryOptions({ input: { clientId: client?.id ?? '' } }),
    enabled: client !== null,
  });
  return {
    ...whom,
    phone: whom.phone ?? known.data?.contact?.phone ?? '',
    clients,
    search: setSearch,
    changeWhom: (next: Partial<ForWhom>) => setWhom((last) => ({ ...last, ...next })),
  };
}

function typedProblems(
  { date, time }: { date: string; time: string },
  start: string | null | undefined,
): Partial<Record<Problem, string>> {
  return {
    ...(date ? {} : { date: m.web_date_missing() }),
    ...(time ? {} : { time: m.web_time_missing() }),
    ...(start === null ? { time: m.schedule_time_skipped() } : {}),
  };
}

function freeProblems(times: {
  date: string | null;
  start: string | null;
}): Partial<Record<Problem, string>> {
  if (!times.date) return { date: m.web_date_missing() };
  return times.start ? {} : { time: m.web_time_missing() };
}

const nobody = { name: '', email: '', phone: '' };

type Typed = typeof nobody;

function personInput({ name, email, phone }: Typed): BookNewInput['client'] {
  const [typedEmail, typedPhone] = [email.trim(), phone.trim()];
  return {
    name: name.trim(),
    ...(typedEmail ? { email: typedEmail } : {}),
    ...(typedPhone ? { phone: typedPhone } : {}),
  };
}

/** `refusal` is the server's response to these values. */
function personProblems(
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
    ...(bad.has('client.name') ? { name: m.web_name_missing() } : {}),
    ...(bad.has('client.email') ? { email: isOwn ? m.care_record_email_own() : m.web_email_bad() } : {}),
    ...(bad.has('client.phone') || (isCalled && !isCallable(client.phone))
      ? { phone: m.care_record_phone_bad() }
      : {}),
  };
}
