import type { Role } from '#/kernel/actor.ts';
import { overlaps, type Interval } from '#/kernel/interval.ts';
import type { Ctx } from '#/platform/context.ts';
import { actAs } from '#/platform/demo.ts';
import { book } from './booking/commands.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { reminderChoices } from './booking/contract.ts';
import { cancel, complete, confirm, markNoShow } from './life-cycle/commands.ts';

export interface DemoClient {
  id: string;
  name: string;
  email: string;
  phone: string;
  timeZone: string;
}

export interface DemoProvider {
  id: string;
  kind: 'doctor' | 'pastor';
  timeZone: string;
  sessionTypes: readonly SessionType[];
  serviceIds: readonly string[];
  /** Session counts, in the specialist's own time zone. */
  thisMonth: number;
  today: number;
  /** City whose sunsets bound their Sabbath, which stays free of sessions. */
  sabbathIn?: string;
}

export interface DemoCast {
  client: DemoClient;
  others: readonly DemoClient[];
  providers: readonly [DemoProvider, DemoProvider, DemoProvider, ...DemoProvider[]];
}

interface Session {
  provider: DemoProvider;
  client: DemoClient;
  serviceId: string;
  start: Temporal.ZonedDateTime;
  minutes: number;
  fate: 'waits' | 'cancelled' | 'missed' | 'usual';
}

const buffer = 15;
const monthBefore = 0.88;
/** Session times that never overlap on a default day, buffers included. */
const daySlots = [
  ['09:00', 60],
  ['12:00', 60],
  ['16:00', 60],
  ['10:30', 60],
  ['14:00', 90],
  ['17:30', 60],
] as const;

/**
 * Seeds appointments around today by replaying real bookings and completing past ones. The demo client gets four
 * sessions this month and 6.5 hours of care, calendar permitting. `emit` must not send emails about past events.
 */
export async function seedAppointments(ctx: Ctx, cast: DemoCast): Promise<void> {
  const plan = new Plan();
  planDemoClient(plan, ctx.now(), cast);
  for (const [index, provider] of cast.providers.entries()) {
    planProvider(plan, ctx.now(), provider, rotated(cast.others, index * 3));
  }
  const now = plan.sessions.toSorted(byStart);
  for (const [index, provider] of cast.providers.entries())
    planMonthBefore(plan, ctx.now(), provider, rotated(cast.others, index * 3));
  const before = plan.sessions.slice(now.length).toSorted(byStart);
  for (const sessions of [before, now])
    for (const [index, session] of sessions.entries()) await live(ctx, session, index);
  await ctx.db
    .updateTable('reminders')
    .set(({ ref }) => ({ queued_at: ref('due_at'), sent_at: ref('due_at') }))
    .where('due_at', '<=', new Date(ctx.now().epochMilliseconds))
    .execute();
}

/** No person is double-booked. */
class Plan {
  readonly sessions: Session[] = [];
  readonly #held = new Map<string, Interval[]>();

  add(session: Session): boolean {
    const start = session.start.epochMilliseconds;
    const time = { start, end: start + (session.minutes + buffer) * 60_000 };
    const diaries = [session.provider.id, session.client.id].map((id) => this.#held.get(id) ?? []);
    if (diaries.some((diary) => diary.some((other) => overlaps(other, time)))) return false;
    this.#held.set(session.provider.id, [...diaries[0]!, time]);
    this.#held.set(session.client.id, [...diaries[1]!, time]);
    this.sessions.push(session);
    return true;
  }
}

function planDemoClient(plan: Plan, now: Temporal.Instant, { client, providers }: DemoCast): void {
  const [doctor, pastor, family] = providers;
  const today = now.toZonedDateTimeISO(client.timeZone).toPlainDate();
  const ahead = workingDays(today.add({ days: 1 }), today.add({ days: 20 }));
  const coming = [ahead[1]!, ahead[4]!, ahead[8]!];
  const stillThisMonth = coming.filter((date) => date.month === today.month).length;
  const soFar = spread(workingDays(today.with({ day: 1 }), today.subtract({ days: 1 })), 4 - stillThisMonth);
  const lastMonth = today.with({ day: 1 }).subtract({ days: 1 });
  const before = spread(workingDays(lastMonth.with({ day: 1 }), lastMonth), 5 - soFar.length);
  const past = [
    [doctor, 'individuals', 60],
    [pastor, 'grief', 90],
    [family, 'families', 75],
    [doctor, 'individuals', 90],
    [family, 'families', 75],
  ] as const;
  const next = [
    [doctor, 'individuals', 60],
    [pastor, 'spiritual', 60],
    [family, 'families', 75],
  ] as const;
  const days = [...before, ...soFar, ...coming];
  for (const [index, [provider, serviceId, minutes]] of [...past, ...next].entries()) {
    const start = startOn(days[index]!, '09:00', provider.timeZone);
    const fate = provider === pastor && index >= past.length ? 'waits' : 'usual';
    plan.add({ provider, client, serviceId, start, minutes, fate });
  }
}

function planProvider(
  plan: Plan,
  now: Temporal.Instant,
  provider: DemoProvider,
  clients: readonly DemoClient[],
): void {
  const { timeZone, serviceIds } = provider;
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const first = today.with({ day: 1 });
  const month = workingDays(first, first.add({ months: 1 }).subtract({ days: 1 }));
  const days = provider.sabbathIn ? month.filter(({ dayOfWeek }) => dayOfWeek !== 6) : month;
  const ofMonth = ({ start }: Session) =>
    Temporal.PlainDate.compare(start.toPlainDate().with({ day: 1 }), first) === 0;
  const planned = plan.sessions.filter((session) => session.provider === provider && ofMonth(session)).length;
  const worksToday = days.some((date) => date.equals(today));
  const otherDays = days.filter((date) => !date.equals(today));
  const rest = provider.thisMonth - planned - (worksToday ? provider.today : 0);
  let number = 0;
  const fill = (date: Temporal.PlainDate, slots: readonly (typeof daySlots)[number][], wanted: number) => {
    let left = wanted;
    for (const [time, minutes] of slots) {
      if (left === 0) return;
      // In winter, sunset may already have passed.
      if (provider.sabbathIn && date.dayOfWeek === 5 && time >= '14:00') continue;
      const start = startOn(date, time, timeZone);
      const fate = fateOf(number, provider, Temporal.Instant.compare(start.toInstant(), now) < 0);
      const serviceId = serviceIds[number % serviceIds.length]!;
      const added = rotated(clients, number * 5).some((client) =>
        plan.add({ provider, client, serviceId, start, minutes, fate }),
      );
      if (!added) continue;
      number += 1;
      if (fate !== 'cancelled') left -= 1;
    }
  };
  if (worksToday) fill(today, daySlots, provider.today);
  for (const [index, date] of otherDays.entries()) {
    const share = (shares: number) => Math.floor((shares * rest) / otherDays.length);
    fill(date, rotated(daySlots, index), share(index + 1) - share(index));
  }
}

/** Fills the previous month almost as full, so month-over-month stats look realistic. */
function planMonthBefore(
  plan: Plan,
  now: Temporal.Instant,
  provider: DemoProvider,
  clients: readonly DemoClient[],
): void {
  const { timeZone, serviceIds } = provider;
  const end = now.toZonedDateTimeISO(timeZone).toPlainDate().with({ day: 1 }).subtract({ days: 1 });
  // Friday is skipped: in winter the sun may set that afternoon.
  const days = workingDays(end.with({ day: 1 }), end).filter(
    ({ dayOfWeek }) => !provider.sabbathIn || dayOfWeek < 5,
  );
  const count = Math.round(provider.thisMonth * monthBefore);
  for (let number = 0; number < count; number++) {
    const day = Math.floor((number * days.length) / count);
    const [time, minutes] = daySlots[number % daySlots.length]!;
    const start = startOn(days[day]!, time, timeZone);
    const serviceId = serviceIds[number % serviceIds.length]!;
    const fate = fateOf(number, provider, true);
    rotated(clients, number * 5).some((client) =>
      plan.add({ provider, client, serviceId, start, minutes, fate }),
    );
  }
}

function byStart(a: Session, b: Session): number {
  return Temporal.ZonedDateTime.compare(a.start, b.start);
}

function fateOf(number: number, provider: DemoProvider, past: boolean): Session['fate'] {
  if (past) return number % 16 === 7 ? 'missed' : 'usual';
  if (number % 10 === 4) return 'cancelled';
  return provider.kind === 'pastor' && number % 5 === 1 ? 'waits' : 'usual';
}

/** Monday to Saturday, inclusive. */
function workingDays(from: Temporal.PlainDate, to: Temporal.PlainDate): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  for (let date = from; Temporal.PlainDate.compare(date, to) <= 0; date = date.add({ days: 1 })) {
    if (date.dayOfWeek !== 7) days.push(date);
  }
  return days;
}

/** Up to `count` days, evenly spaced. */
function spread(days: readonly Temporal.PlainDate[], count: number): Temporal.PlainDate[] {
  const taken = Math.min(days.length, count);
  return Array.from({ length: taken }, (_, index) => days[Math.floor((index * days.length) / taken)]!);
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const from = by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

function startOn(date: Temporal.PlainDate, time: string, timeZone: string): Temporal.ZonedDateTime {
  return date.toZonedDateTime({ timeZone, plainTime: time });
}

/** Books a session a few days ahead, then applies every later event up to now. */
async function live(ctx: Ctx, session: Session, index: number): Promise<void> {
  const { provider, client, fate } = session;
  const now = ctx.now();
  const start = session.start.toInstant();
  const end = start.add({ minutes: session.minutes });
  const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b);
  const booked = earlier(
    start.subtract({ hours: 6 * 24 + (index % 7) }),
    now.subtract({ minutes: 30 + index }),
  );
  const as = ({ id }: { id: string }, role: Role, at: Temporal.Instant) => actAs(ctx, { id, role }, at);
  const { appointments } = await book(as(client, 'client', booked), {
    idempotencyKey: ctx.newId(),
    providerId: provider.id,
    serviceId: session.serviceId,
    startsAt: start.toString(),
    durationMinutes: session.minutes,
    sessionType: provider.sessionTypes[index % provider.sessionTypes.length]!,
    recurrence: 'one_time',
    sessions: 4,
    contact: { name: client.name, email: client.email, phone: client.phone },
    reminderMinutes: reminderChoices[index % 3]!,
    timeZone: client.timeZone,
  });
  const { id, status } = appointments[0]!;
  if (fate === 'waits') return;
  const answered = booked.add({ minutes: 20 });
  if (status === 'pending') await confirm(as(provider, provider.kind, answered), id);
  if (fate === 'cancelled') await cancel(as(client, 'client', answered.add({ minutes: 5 })), id);
  else if (fate === 'missed') await markNoShow(as(provider, provider.kind, earlier(end, now)), id);
  else if (Temporal.Instant.compare(end, now) <= 0) await complete(as(provider, provider.kind, end), id);
}
