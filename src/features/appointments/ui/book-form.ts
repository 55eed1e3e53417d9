import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import { fieldProblems } from '#/web/failures.ts';
import { isShownDate } from '../agenda/rules.ts';
import type { AppointmentView, Recurrence } from '../appointment/contract.ts';
import type { BookInput } from '../booking/contract.ts';
import { problemsOf, required } from './book-draft.ts';
import { seriesLengths } from './length-choices.tsx';
import { offerOf } from './booking-offer.ts';
import { clearingError, useBookingRequest } from './booking-request.ts';
import { useFreeTimes } from './free-times-choice.ts';
import { useOwnZone } from '#/web/own-zone.tsx';

/** Edited fields; others follow account and service. */
interface Draft {
  serviceId: string | null;
  sessionType: SessionType | null;
  durationMinutes: number | null;
  recurrence: Recurrence;
  sessions: number;
  name?: string;
  email?: string;
  phone: string;
}

/** Asks for a time without an account. */
export type AskForTime = (input: BookInput, within: { signal: AbortSignal }) => Promise<{ sentTo: string }>;

interface BookFormOptions {
  /** Undefined disables queries. */
  providerId: string | undefined;
  serviceId: string | undefined;
  startsAt?: string | undefined;
  durationMinutes?: number | undefined;
  sessionType?: SessionType | null | undefined;
  choices?: string | undefined;
  phone?: string | undefined;
  /** For guests, who book only by opening the emailed link; null books at once. */
  askForTime: AskForTime | null;
  onBooked: (appointments: AppointmentView[]) => void;
  onAsked: (sentTo: string) => void;
  onIncomplete: () => void;
}

export function useBookForm(options: BookFormOptions) {
  const { providerId, serviceId, startsAt, askForTime, onIncomplete } = options;
  const [zone] = useState(useOwnZone());
  // The last attempt's errors: typing marks nothing.
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [{ date, ...chosen }] = useState(() => readChoices(options.choices));
  const [draft, setDraft] = useState<Draft>({
    ...chosen,
    sessionType: options.sessionType ?? null,
    durationMinutes: options.durationMinutes ?? null,
    phone: options.phone ?? '',
  });
  const { me, site, services, specialist } = useBookingQueries(providerId);
  const offer = offerOf(services.data, specialist.data, site.data, {
    ...draft,
    serviceIds: [serviceId, draft.serviceId],
  });
  const { offered, service, durationMinutes, type } = offer;
  const times = useFreeTimes({
    providerId,
    durationMinutes,
    sessionType: type,
    zone,
    startsAt,
    onDate: isShownDate(date) ? date : undefined,
    onFirstDate: true,
  });
  const isSeries = draft.recurrence !== 'one_time';
  const series = useSeriesCheck(providerId, times.start, type, { ...draft, durationMinutes });
  const contact = {
    name: draft.name ?? me.data?.fullName ?? '',
    email: draft.email ?? me.data?.email ?? '',
    phone: draft.phone,
  };
  const book = useBooking(options, specialist.data?.name ?? '');

  const problems = problemsOf({
    service: service?.id ?? null,
    date: times.date,
    start: times.start,
    sessionType: type,
    ...contact,
    refusedEmail: refusedEmail(book.error, book.variables),
  });
  const closeToast = useRef<() => void>(undefined);
  const incomplete = Object.values(problems).includes(required);
  useEffect(() => (incomplete ? () => closeToast.current?.() : undefined), [incomplete]);
  const clashes = isSeries ? (series.data ?? []).filter(({ refusal }) => refusal !== null) : [];

  const submit = () => {
    if (book.isSending()) return;
    setMarked(Object.keys(problems));
    if (incomplete) closeToast.current = toast.failed(m.web_required_fields());
    if (clashes.length > 0) void series.refetch();
    if (Object.keys(problems).length > 0 || clashes.length > 0) return onIncomplete();
    if (!providerId || !service || !times.start || !type) return;
    book.send({
      idempotencyKey: book.key,
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
    ...offer,
    zone,
    asGuest: askForTime !== null,
    specialist,
    services,
    serviceGiven: offered.length === 1 || offered.some(({ id }) => id === serviceId),
    draft,
    change(next: Partial<Draft>) {
      setDraft((last) => ({ ...last, ...next }));
      book.forget();
    },
    times: clearingError(times, book.forget),
    isSeries,
    series,
    clashes,
    /** To begin again with. */
    chosen: {
      startsAt: times.start ?? undefined,
      durationMinutes: draft.durationMinutes ?? undefined,
      sessionType: draft.sessionType ?? undefined,
      choices: [draft.serviceId, times.date, draft.recurrence, draft.sessions].join(' '),
    },
    contact,
    contactTyped:
      draft.name !== undefined || draft.email !== undefined || draft.phone !== (options.phone ?? ''),
    problems: Object.fromEntries(
      Object.entries(problems).filter(([field]) => marked.includes(field)),
    ) as typeof problems,
    about: { name: specialist.data?.name ?? m.booking_your_specialist(), noticeHours },
    book,
    submit,
  };
}

export type BookForm = ReturnType<typeof useBookForm>;

function useBookingQueries(providerId: string | undefined) {
  return {
    me: useQuery(api.accounts.me.queryOptions()),
    site: useQuery(api.settings.site.queryOptions()),
    services: useQuery(api.catalogue.services.queryOptions()),
    specialist: useQuery({
      ...api.providers.get.queryOptions({ input: { id: providerId ?? '' } }),
      enabled: providerId !== undefined,
    }),
  };
}

/** Checks whether all sessions of a series are free; disabled for a single one. */
function useSeriesCheck(
  providerId: string | undefined,
  start: string | null,
  type: SessionType | null,
  {
    durationMinutes,
    recurrence,
    sessions,
  }: { durationMinutes: number; recurrence: Recurrence; sessions: number },
) {
  return useQuery({
    ...api.appointments.checkSeries.queryOptions({
      input: {
        providerId: providerId ?? '',
        startsAt: start ?? '',
        durationMinutes,
        recurrence,
        sessions,
        sessionType: type ?? undefined,
      },
    }),
    // Never cached, so stale clashes can't block booking.
    staleTime: 0,
    enabled: providerId !== undefined && start !== null && recurrence !== 'one_time',
  });
}

function useBooking({ askForTime, onBooked, onAsked }: BookFormOptions, therapist: string) {
  return useBookingRequest(
    async (input: BookInput, within): Promise<{ sentTo: string } | { appointments: AppointmentView[] }> =>
      askForTime ? askForTime(input, within) : api.appointments.book.call(input, within),
    (answer) => {
      if ('sentTo' in answer) return onAsked(answer.sentTo);
      toast.done(m.booking_done({ therapist }));
      onBooked(answer.appointments);
    },
  );
}

function refusedEmail(error: unknown, input: BookInput | undefined): string | null {
  if (!input) return null;
  return fieldProblems(error).some(({ field }) => field === 'contact.email') ? input.contact.email : null;
}

const recurrences: readonly Recurrence[] = ['one_time', 'weekly', 'biweekly'];

/** Reads `choices`; an address may hold anything. */
function readChoices(choices = '') {
  const [serviceId, date = '', recurrence, sessions] = choices.split(' ');
  return {
    serviceId: serviceId || null,
    date,
    recurrence: recurrences.find((one) => one === recurrence) ?? 'one_time',
    sessions: seriesLengths.find((one) => String(one) === sessions) ?? 4,
  };
}
