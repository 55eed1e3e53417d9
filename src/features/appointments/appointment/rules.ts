import type { ErrorCode } from '#/kernel/errors.ts';
import type { AppointmentAction, AppointmentStatus, AppointmentView } from './contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';

export const maxCandidates = 100;
export const maxTakers = 10;

/** In-person sessions would change location; guests consented to this specialist. */
export function canReassign({
  row,
  withGuests,
}: {
  row: { session_type: SessionType };
  withGuests: boolean;
}): boolean {
  return row.session_type !== 'in-person' && !withGuests;
}

export type Party = 'client' | 'provider';

export type Side = Party | 'administrator';

export interface ActionRefusal {
  code: ErrorCode;
  reason: 'not_your_part' | 'wrong_status' | 'deadline_passed' | 'already_started' | 'not_started';
}

/** Instants are epoch milliseconds. */
export interface ActionQuery {
  appointment: { status: AppointmentStatus; kind: AppointmentView['kind']; start: number; end: number };
  party: Side;
  now: number;
  cancellationDeadlineHours: number;
}

interface ActionRule {
  party: readonly Side[];
  status: readonly AppointmentStatus[];
  /** `open` means before the start, and for clients before the deadline. */
  time: 'open' | 'before_start' | 'started' | 'any';
}

const anySide = ['client', 'provider', 'administrator'] as const;
const held = ['pending', 'confirmed'] as const;

/**
 * State machine: pending → confirmed → completed | cancelled | no_show, with who may act, from which status and when.
 * Sessions still pending at their start expire.
 */
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

export function holdsTime(status: AppointmentStatus): boolean {
  return status === 'pending' || status === 'confirmed';
}

/** Returns the first reason to refuse this action, or null. Checks party, then status, then time. */
export function refuseAction(action: AppointmentAction, query: ActionQuery): ActionRefusal | null {
  const { appointment, party, now } = query;
  const rule = rules[action];
  if (!rule.party.includes(party)) return { code: 'forbidden', reason: 'not_your_part' };
  if (!rule.status.includes(appointment.status)) return { code: 'conflict', reason: 'wrong_status' };
  // Providers decline pending sessions instead of canceling them.
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

export function allowedActions(query: ActionQuery): AppointmentAction[] {
  return actions.filter((action) => refuseAction(action, query) === null);
}
