import type { ErrorCode } from '#/kernel/errors.ts';
import type { AppointmentAction, AppointmentStatus, AppointmentView } from '../contract.ts';

/** Which side of an appointment a person is on. */
export type Party = 'client' | 'provider';

/** Who acts on an appointment: one of its parties, or an administrator for both. */
export type Side = Party | 'administrator';

/** Why an action is refused; the reasons are closed words. */
export interface ActionRefusal {
  code: ErrorCode;
  reason: 'not_your_part' | 'wrong_status' | 'deadline_passed' | 'already_started' | 'not_started';
}

/** What decides about an action; instants are epoch milliseconds. */
export interface ActionQuery {
  appointment: { status: AppointmentStatus; kind: AppointmentView['kind']; start: number; end: number };
  party: Side;
  now: number;
  /** Until so many hours before the start a client may cancel and reschedule. */
  cancellationDeadlineHours: number;
}

interface ActionRule {
  party: readonly Side[];
  status: readonly AppointmentStatus[];
  /** What the time must be; `open` is before the start, and for a client before the deadline. */
  time: 'open' | 'before_start' | 'started' | 'any';
}

const anySide = ['client', 'provider', 'administrator'] as const;
const held = ['pending', 'confirmed'] as const;

/** The state machine: pending → confirmed → completed | cancelled | no_show, by whom, from where and when. What still is pending at its start expires. */
const rules: Readonly<Record<AppointmentAction, ActionRule>> = {
  reschedule: { party: anySide, status: held, time: 'open' },
  cancel: { party: anySide, status: held, time: 'open' },
  confirm: { party: ['provider'], status: ['pending'], time: 'before_start' },
  decline: { party: ['provider'], status: ['pending'], time: 'any' },
  complete: { party: ['provider'], status: ['confirmed'], time: 'started' },
  mark_no_show: { party: ['provider'], status: ['confirmed'], time: 'started' },
  mark_emergency: { party: ['provider'], status: held, time: 'any' },
  set_reminder: { party: ['client'], status: held, time: 'before_start' },
};

/** Whether a status still holds the time of both parties. */
export function holdsTime(status: AppointmentStatus): boolean {
  return status === 'pending' || status === 'confirmed';
}

/** Why this action can't be taken now, or null if it can: first whose it is, then the status, then the time. */
export function refuseAction(action: AppointmentAction, query: ActionQuery): ActionRefusal | null {
  const { appointment, party, now } = query;
  const rule = rules[action];
  if (!rule.party.includes(party)) return { code: 'forbidden', reason: 'not_your_part' };
  if (!rule.status.includes(appointment.status)) return { code: 'conflict', reason: 'wrong_status' };
  // A provider who doesn't take a session that waits for them declines it.
  if (action === 'cancel' && party === 'provider' && appointment.status === 'pending') {
    return { code: 'conflict', reason: 'wrong_status' };
  }
  if (action === 'mark_emergency' && appointment.kind === 'emergency') {
    return { code: 'conflict', reason: 'wrong_status' };
  }
  const deadline = appointment.start - query.cancellationDeadlineHours * 3_600_000;
  switch (rule.time) {
    case 'open':
      if (party === 'client' && now > deadline) return { code: 'precondition', reason: 'deadline_passed' };
      return now < appointment.start ? null : { code: 'precondition', reason: 'already_started' };
    case 'before_start':
      return now < appointment.start ? null : { code: 'precondition', reason: 'already_started' };
    case 'started':
      return now >= appointment.start ? null : { code: 'precondition', reason: 'not_started' };
    case 'any':
      return null;
  }
}

const actions = Object.keys(rules) as AppointmentAction[];

/** Every action that a side may take now, in the order of the rules. */
export function allowedActions(query: ActionQuery): AppointmentAction[] {
  return actions.filter((action) => refuseAction(action, query) === null);
}
