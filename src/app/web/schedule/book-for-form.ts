import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import { lengthsOf } from '#/features/availability/terms/rules.ts';
import type { AppointmentView, Recurrence } from '#/features/appointments/appointment/contract.ts';
import type { BookForInput } from '#/features/appointments/booking/contract.ts';
import { isCallable } from '#/features/appointments/booking/rules.ts';
import { useFreeTimes } from '#/features/appointments/ui/free-times-choice.ts';
import type { BookNewInput } from '#/features/care/clients/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { isRefusal } from '#/web/failures.ts';
import { nobody, personInput, personProblems } from './person-fields.ts';
import { instantAt, timeValue } from './wall-time.ts';
import { newKey } from '#/web/request-key.ts';
import { dateIn } from '#/web/times.ts';
import { refetchAppointments } from '#/features/appointments/ui/refetch-appointments.ts';

/** Request timeout in milliseconds. */
const patience = 20_000;

/** Default session length in minutes. */
const usualLength = 60;

type Problem = 'client' | 'name' | 'email' | 'service' | 'date' | 'time' | 'type' | 'phone';

export function useBookForForm({
  startsAt,
  date,
  timeZone,
  onBooked,
  onIncomplete,
}: {
  startsAt: string | null;
  date: string;
  timeZone: string;
  onBooked: (appointments: AppointmentView[], name: string) => void;
  onIncomplete: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { flags } = useSite();
  const providerId = useViewer()!.id;
  const [key, setKey] = useState(newKey);
  const [marked, setMarked] = useState(false);
  const [search, setSearch] = useState('');
  /** Includes the name, since new searches replace the results. */
  const [client, setClient] = useState<{ id: string; name: string } | null>(null);
  const [who, setWho] = useState<'existing' | 'new'>('existing');
  const [person, setPerson] = useState(nobody);
  const [draft, setDraft] = useState({
    serviceId: null as string | null,
    sessionType: null as SessionType | null,
    durationMinutes: null as number | null,
    recurrence: 'one_time' as Recurrence,
    sessions: 4,
    outsideHours: false,
    /** Null keeps the client's last phone number. */
    phone: null as string | null,
    date: startsAt ? dateIn(startsAt, timeZone) : date,
    time: startsAt ? timeValue(startsAt, timeZone) : '',
  });

  const clients = useQuery({
    ...api.care.clients.list.queryOptions({ input: { search, order: 'last', limit: 50 } }),
    placeholderData: (last) => last,
  });
  const known = useQuery({
    ...api.care.clients.get.queryOptions({ input: { clientId: client?.id ?? '' } }),
    enabled: client !== null,
  });
  const phone = draft.phone ?? known.data?.contact?.phone ?? '';
  const services = useQuery(api.catalogue.services.queryOptions());
  const specialist = useQuery(api.providers.get.queryOptions({ input: { id: providerId } }));
  const offered = services.data?.filter(({ id }) => specialist.data?.serviceIds.includes(id)) ?? [];
  const service =
    offered.length === 1 ? offered[0]! : (offered.find(({ id }) => id === draft.serviceId) ?? null);
  const durations = lengthsOf(
    service?.durationMinutes ?? usualLength,
    specialist.data?.sessionLengths ?? null,
  );
  const durationMinutes =
    durations.find((minutes) => minutes === draft.durationMinutes) ??
    durations.find((minutes) => minutes === (service?.durationMinutes ?? usualLength)) ??
    durations[0] ??
    usualLength;
  const offersVideo = flags.includes('video_sessions');
  const types = (specialist.data?.sessionTypes ?? []).filter((one) => one !== 'online' || offersVideo);
  const type = types.length === 1 ? types[0]! : (types.find((one) => one === draft.sessionType) ?? null);
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

  const sending = useRef(false);
  const book = useMutation({
    mutationFn: (input: Wanted) => {
      const signal = AbortSignal.timeout(patience);
      return 'client' in input
        ? api.care.records.book.call(input, { signal })
        : api.appointments.bookFor.call(input, { signal });
    },
    onSuccess: ({ appointments }) => {
      setKey(newKey());
      onBooked(appointments, (who === 'new' ? person.name.trim() : client?.name) ?? '');
      void queries.invalidateQueries({ queryKey: api.care.key() });
      void refetchAppointments(queries, api);
    },
    onError: (error) => {
      if (!isRefusal(error)) return;
      if (error.reason === 'idempotency_key_reused') setKey(newKey());
      void queries.invalidateQueries({ queryKey: api.appointments.freeStarts.key() });
    },
    onSettled: () => {
      sending.current = false;
    },
  });

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
    if (sending.current) return;
    setMarked(true);
    if (Object.keys(problems).length > 0 || !service || !type || !start) return onIncomplete();
    const forWhom =
      who === 'new'
        ? { client: personInput(person) }
        : client && { clientId: client.id, ...(type === 'phone' ? { phone: phone.trim() } : {}) };
    if (!forWhom) return onIncomplete();
    sending.current = true;
    book.mutate({
      idempotencyKey: key,
      ...forWhom,
      serviceId: service.id,
      startsAt: start,
      durationMinutes,
      sessionType: type,
      recurrence: draft.recurrence,
      sessions: draft.sessions,
      outsideHours: draft.outsideHours,
    });
  };
  const forget = () => {
    if (book.isError) book.reset();
  };
  return {
    clients,
    services,
    specialist,
    offered,
    service,
    durations,
    durationMinutes,
    types,
    type,
    client,
    phone,
    who,
    person,
    chooseWho(next: 'existing' | 'new') {
      setWho(next);
      forget();
    },
    changePerson(next: Partial<typeof nobody>) {
      setPerson((last) => ({ ...last, ...next }));
      forget();
    },
    draft,
    start,
    search: setSearch,
    chooseClient(next: { id: string; name: string } | null) {
      setClient(next);
      setDraft((last) => ({ ...last, phone: null }));
      forget();
    },
    change(next: Partial<typeof draft>) {
      setDraft((last) => ({ ...last, ...next }));
      forget();
    },
    times: {
      ...times,
      chooseDate(next: string) {
        forget();
        times.chooseDate(next);
      },
      chooseStart(next: string) {
        forget();
        times.chooseStart(next);
      },
    },
    take(next: string) {
      forget();
      times.chooseStart(next);
      setDraft((last) => ({
        ...last,
        date: dateIn(next, timeZone),
        time: timeValue(next, timeZone),
      }));
    },
    problems: marked ? problems : {},
    book,
    submit,
  };
}

export type BookForForm = ReturnType<typeof useBookForForm>;

type Wanted = BookForInput | BookNewInput;

function typedProblems(
  { date, time }: { date: string; time: string },
  start: string | null | undefined,
): Partial<Record<Problem, string>> {
  return {
    ...(date ? {} : { date: m.schedule_for_date_missing() }),
    ...(time ? {} : { time: m.schedule_for_time_missing() }),
    ...(start === null ? { time: m.schedule_for_time_skipped() } : {}),
  };
}

function freeProblems(times: {
  date: string | null;
  start: string | null;
}): Partial<Record<Problem, string>> {
  if (!times.date) return { date: m.booking_date_required() };
  return times.start ? {} : { time: m.booking_time_required() };
}
