import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { lengthsOf } from '#/features/availability/terms/rules.ts';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import type { AppointmentView, Recurrence } from '../appointment/contract.ts';
import type { BookInput } from '../booking/contract.ts';
import { problemsOf, required } from './book-draft.ts';
import { useFreeTimes } from './free-times-choice.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { newKey } from '#/web/request-key.ts';
import { refetchAppointments } from './refetch-appointments.ts';

/** Request timeout in milliseconds. */
const patience = 20_000;

/** Fallback length in minutes while loading. */
const usualLength = 60;

/** Edited fields only; defaults come from the account or service. */
interface Draft {
  serviceId?: string;
  sessionType: SessionType | null;
  durationMinutes?: number;
  recurrence: Recurrence;
  sessions: number;
  name?: string;
  email?: string;
  phone: string;
}

/** Asks for a time without an account. */
export type AskForTime = (
  api: ReturnType<typeof useApi>,
  input: BookInput,
  within: { signal: AbortSignal },
) => Promise<{ sentTo: string }>;

export function useBookForm({
  providerId,
  serviceId,
  startsAt,
  durationMinutes: begunMinutes,
  sessionType = null,
  askForTime,
  onBooked,
  onAsked,
  onIncomplete,
}: {
  /** Undefined disables queries. */
  providerId: string | undefined;
  serviceId: string | undefined;
  startsAt?: string | undefined;
  durationMinutes?: number | undefined;
  sessionType?: SessionType | null | undefined;
  /** For guests, who book only by opening the emailed link; null books at once. */
  askForTime: AskForTime | null;
  onBooked: (appointments: AppointmentView[]) => void;
  onAsked: (sentTo: string) => void;
  onIncomplete: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [zone] = useState(useOwnZone());
  const [key, setKey] = useState(newKey);
  // Errors from the last attempt; nothing is marked while typing.
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [draft, setDraft] = useState<Draft>({
    sessionType,
    durationMinutes: begunMinutes,
    recurrence: 'one_time',
    sessions: 4,
    phone: '',
  });

  const always = { networkMode: 'always' as const };
  const me = useQuery({ ...api.accounts.me.queryOptions(), ...always });
  const site = useQuery({ ...api.settings.site.queryOptions(), ...always });
  const services = useQuery({ ...api.catalogue.services.queryOptions(), ...always });
  const specialist = useQuery({
    ...api.providers.get.queryOptions({ input: { id: providerId ?? '' } }),
    ...always,
    enabled: providerId !== undefined,
  });

  const offered = services.data?.filter(({ id }) => specialist.data?.serviceIds.includes(id)) ?? [];
  const given = offered.find(({ id }) => id === serviceId) ?? (offered.length === 1 ? offered[0] : undefined);
  const service: ServiceSummary | null = given ?? offered.find(({ id }) => id === draft.serviceId) ?? null;
  const durations = lengthsOf(
    service?.durationMinutes ?? usualLength,
    specialist.data?.sessionLengths ?? null,
  );
  const durationMinutes =
    durations.find((minutes) => minutes === draft.durationMinutes) ??
    durations.find((minutes) => minutes === service?.durationMinutes) ??
    durations.find((minutes) => minutes === site.data?.defaultSessionDuration) ??
    durations[0] ??
    usualLength;
  // Off when the site disables Video Sessions.
  const offersVideo = site.data?.flags.includes('video_sessions') ?? true;
  const types = (specialist.data?.sessionTypes ?? []).filter((one) => one !== 'online' || offersVideo);
  const type = types.length === 1 ? types[0]! : (types.find((one) => one === draft.sessionType) ?? null);

  const times = useFreeTimes({ providerId, durationMinutes, sessionType: type, zone, startsAt });
  const isSeries = draft.recurrence !== 'one_time';
  const series = useQuery({
    ...api.appointments.checkSeries.queryOptions({
      input: {
        providerId: providerId ?? '',
        startsAt: times.start ?? '',
        durationMinutes,
        recurrence: draft.recurrence,
        sessions: draft.sessions,
        sessionType: type ?? undefined,
      },
    }),
    ...always,
    // Never cached, so stale clashes can't block booking.
    staleTime: 0,
    enabled: providerId !== undefined && times.start !== null && isSeries,
  });

  const contact = {
    name: draft.name ?? me.data?.fullName ?? '',
    email: draft.email ?? me.data?.email ?? '',
    phone: draft.phone,
  };

  const sending = useRef(false);
  const book = useMutation({
    mutationFn: async (
      input: BookInput,
    ): Promise<{ sentTo: string } | { appointments: AppointmentView[] }> => {
      const within = { signal: AbortSignal.timeout(patience) };
      return askForTime ? askForTime(api, input, within) : api.appointments.book.call(input, within);
    },
    ...always,
    onSuccess: (answer) => {
      setKey(newKey());
      if ('sentTo' in answer) return onAsked(answer.sentTo);
      const { appointments } = answer;
      toast({ tone: 'success', title: m.booking_done({ therapist: specialist.data?.name ?? '' }) });
      onBooked(appointments);
      void refetchAppointments(queries, api);
    },
    onError: (error) => {
      if (!isRefusal(error)) return;
      if (error.reason === 'idempotency_key_reused') setKey(newKey());
      void queries.invalidateQueries({ queryKey: api.appointments.freeStarts.key() });
      void queries.invalidateQueries({ queryKey: api.appointments.checkSeries.key() });
      if (error.reason === 'price_changed')
        void queries.invalidateQueries({ queryKey: api.catalogue.services.key() });
      // The error message shows the current advance notice.
      void queries.invalidateQueries({ queryKey: api.settings.site.key() });
    },
    onSettled: () => {
      sending.current = false;
    },
  });

  const problems = problemsOf({
    service: service?.id ?? null,
    date: times.date,
    start: times.start,
    sessionType: type,
    ...contact,
    refusedEmail: refusedEmail(book.error, book.variables),
  });
  const clashes = isSeries ? (series.data ?? []).filter(({ refusal }) => refusal !== null) : [];

  const submit = () => {
    if (sending.current) return;
    setMarked(Object.keys(problems));
    if (Object.values(problems).includes(required)) {
      toast({ tone: 'destructive', title: m.booking_required_fields() });
    }
    if (clashes.length > 0) void series.refetch();
    if (Object.keys(problems).length > 0 || clashes.length > 0) return onIncomplete();
    if (!providerId || !service || !times.start || !type) return;
    sending.current = true;
    book.mutate({
      idempotencyKey: key,
      providerId,
      serviceId: service.id,
      startsAt: times.start,
      durationMinutes,
      sessionType: type,
      recurrence: draft.recurrence,
      sessions: draft.sessions,
      contact: {
        name: contact.name.trim(),
        email: contact.email.trim(),
        phone: contact.phone.trim() || undefined,
      },
      reminderMinutes: 15,
      timeZone: zone,
      priceCents: priceOf(service, durationMinutes),
    });
  };

  const noticeHours = site.data?.bookingAdvanceNoticeHours;
  return {
    api,
    zone,
    asGuest: askForTime !== null,
    specialist,
    services,
    offered,
    service,
    serviceGiven: given !== undefined,
    draft,
    change(next: Partial<Draft>) {
      setDraft((last) => ({ ...last, ...next }));
      if (book.isError) book.reset();
    },
    /** Offered session types, in spec order. */
    types,
    /** The selected type, or the only one offered. */
    type,
    durations,
    durationMinutes,
    times: {
      ...times,
      chooseDate(date: string) {
        if (book.isError) book.reset();
        times.chooseDate(date);
      },
      chooseStart(start: string) {
        if (book.isError) book.reset();
        times.chooseStart(start);
      },
    },
    isSeries,
    series,
    clashes,
    contact,
    problems: Object.fromEntries(
      Object.entries(problems).filter(([field]) => marked.includes(field)),
    ) as typeof problems,
    about: { name: specialist.data?.name ?? m.booking_your_specialist(), noticeHours },
    book,
    submit,
  };
}

export type BookForm = ReturnType<typeof useBookForm>;

function refusedEmail(error: unknown, input: BookInput | undefined): string | null {
  if (!isRefusal(error) || !input) return null;
  return error.fields.some(({ field }) => field === 'contact.email') ? input.contact.email : null;
}
