import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import limits from 'virtual:limits/waitlist.take';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { TextField } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { refusalReason } from '#/web/limits.ts';
import { isCallable } from '#/features/appointments/diary/rules.ts';
import type { OfferView, WaitView } from '../contract.ts';
import { appointmentFailure } from '#/features/appointments/ui/failure-text.ts';
import { sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { dateIn, shortDateText, timeText } from '#/web/times.ts';
import { whenText } from './wait-texts.ts';
import { useWaits } from './waits.ts';
import { refetchAppointments } from '#/features/appointments/ui/refetch-appointments.ts';

export function OpenOffers({
  now,
  timeZone,
  className,
}: {
  /** Epoch milliseconds. */
  now: number;
  timeZone: string;
  className?: string;
}) {
  const queries = useQueryClient();
  const waits = useWaits();
  // Outlives its offer until the next press.
  const [problem, setProblem] = useState<{ title: string; text: string; place: boolean } | null>(null);

  // The phone session offer missing a number, and the number typed for it.
  const [asked, setAsked] = useState<{ offerId: string; phone: string } | null>(null);
  const number = useRef<HTMLInputElement>(null);

  const settled = (error: unknown) => {
    if (error && !isRefusal(error)) return;
    void queries.invalidateQueries({ queryKey: api.waitlist.key() });
    void refetchAppointments(queries);
  };
  const failed = (error: unknown, { wait: { provider }, offer: { id: offerId } }: Chosen) => {
    const { name } = provider;
    const refused = isRefusal(error);
    if (refused && error.fields.some(({ field }) => field === 'contact.phone')) {
      setAsked((last) => (last?.offerId === offerId ? last : { offerId, phone: '' }));
      return;
    }
    const told = refused && (error.reason === 'offer_taken' || error.reason === 'wait_over');
    setProblem({ ...appointmentFailure(error, { name, existing: true }), place: refused && !told });
  };
  const take = useMutation({
    mutationFn: ({ offer }: Chosen) =>
      api.waitlist.take.call({
        offerId: offer.id,
        ...(asked?.offerId === offer.id ? { phone: asked.phone.trim() } : {}),
      }),
    onMutate: () => setProblem(null),
    onSuccess: (session) =>
      toast.done(
        m.waitlist_taken(),
        session.status === 'pending'
          ? m.waitlist_taken_waiting({ name: session.provider.name })
          : whenText(session.startsAt, timeZone),
      ),
    onError: failed,
    onSettled: (_, error) => settled(error),
  });
  const takeOrAsk = (one: Chosen) => {
    if (asked?.offerId === one.offer.id && phoneProblem(asked.phone)) number.current?.focus();
    else take.mutate(one);
  };
  const pass = useMutation({
    mutationFn: ({ offer }: Chosen) => api.waitlist.pass.call({ offerId: offer.id }),
    onMutate: () => setProblem(null),
    onSuccess: () => toast({ title: m.waitlist_passed(), description: m.waitlist_place_kept() }),
    onError: failed,
    onSettled: (_, error) => settled(error),
  });

  const open = (waits.data ?? []).flatMap((wait) => wait.offers.map((offer) => ({ wait, offer })));
  const busy = take.isPending || pass.isPending;
  return (
    <div className={open.length > 0 || problem ? className : 'contents'}>
      <p role="status" className="sr-only">
        {open.length > 0 && m.waitlist_offers()}
      </p>
      {problem && (
        <Notice tone="destructive" title={problem.title} className="mb-4">
          {problem.text}
          {problem.place && ` ${m.waitlist_place_kept()}`}
        </Notice>
      )}
      {open.length > 0 && (
        <Section title={m.waitlist_offers()} titleClassName="mb-4 text-xl" focusable>
          <ul className="grid gap-4">
            {open.map((one) => (
              <li key={one.offer.id}>
                <Offer {...one} now={now} timeZone={timeZone}>
                  {asked?.offerId === one.offer.id && (
                    <NumberField
                      ref={number}
                      value={asked.phone}
                      onChange={(phone) => setAsked({ ...asked, phone })}
                    />
                  )}
                  <Answers
                    when={whenText(one.offer.startsAt, timeZone)}
                    busy={busy}
                    taking={take.isPending && take.variables.offer.id === one.offer.id}
                    passing={pass.isPending && pass.variables.offer.id === one.offer.id}
                    onTake={() => takeOrAsk(one)}
                    onPass={() => pass.mutate(one)}
                  />
                </Offer>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

function Answers({
  when,
  busy,
  taking,
  passing,
  onTake,
  onPass,
}: {
  when: string;
  busy: boolean;
  taking: boolean;
  passing: boolean;
  onTake: () => void;
  onPass: () => void;
}) {
  return (
    <>
      <Button busy={taking} disabled={busy} className="max-sm:w-full" onClick={onTake}>
        <CalendarCheck />
        <span>
          {m.waitlist_take()}
          <VisuallyHidden>, {when}</VisuallyHidden>
        </span>
      </Button>
      <Button variant="secondary" busy={passing} disabled={busy} className="max-sm:w-full" onClick={onPass}>
        <span>
          {m.waitlist_pass()}
          <VisuallyHidden>, {when}</VisuallyHidden>
        </span>
      </Button>
    </>
  );
}

/** Takes focus, because Accept also needs a number. */
function NumberField({
  ref,
  value,
  onChange,
}: {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (value: string) => void;
}) {
  useEffect(() => ref.current?.focus(), [ref]);
  return (
    <TextField
      label={m.booking_contact_phone()}
      hint={m.booking_contact_phone_for_call()}
      error={phoneProblem(value)}
      className="basis-full"
      ref={ref}
      type="tel"
      autoComplete="tel"
      maxLength={limits.phone?.max}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function phoneProblem(typed: string): string | undefined {
  if (!isCallable(typed)) return m.booking_contact_phone_required();
  return refusalReason(limits.phone!, typed) ? m.booking_contact_phone_whole() : undefined;
}

interface Chosen {
  wait: WaitView;
  offer: OfferView;
}

function Offer({
  wait: { provider, service, durationMinutes, sessionType, appointment },
  offer,
  now,
  timeZone,
  children,
}: Chosen & { now: number; timeZone: string; children: React.ReactNode }) {
  const lapsed = Date.parse(offer.deadline) <= now;
  return (
    <Card as="article" className="border-primary!">
      <h3 className="text-lg">
        <time dateTime={offer.startsAt}>{whenText(offer.startsAt, timeZone)}</time>
      </h3>
      <p className="mt-1">
        {m.waitlist_offer_new({ service: service.title, name: provider.name, minutes: durationMinutes })} ·{' '}
        {sessionTypeText(sessionType)}
      </p>
      {appointment && (
        <p className="mt-1">
          {m.waitlist_offer_move({ name: provider.name, when: whenText(appointment.startsAt, timeZone) })}
        </p>
      )}
      <p className="mt-2 text-sm text-quiet">
        {lapsed
          ? m.waitlist_offer_lapsed()
          : m.waitlist_offer_until({ when: deadlineText(offer.deadline, now, timeZone) })}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">{children}</div>
    </Card>
  );
}

function deadlineText(deadline: string, now: number, timeZone: string): string {
  const time = timeText(deadline, timeZone);
  const today = dateIn(now, timeZone);
  if (dateIn(deadline, timeZone) === today) return time;
  return m.web_date_time({ date: shortDateText(deadline, timeZone), time });
}
