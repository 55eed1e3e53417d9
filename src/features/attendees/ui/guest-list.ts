import { useQuery } from '@tanstack/react-query';
import { useLiveQueries, api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import type { GuestState } from '../contract.ts';

const states: Readonly<Record<GuestState, () => string>> = {
  invited: m.guests_state_invited,
  accepted: m.guests_state_accepted,
  declined: m.guests_state_declined,
  withdrawn: m.guests_state_withdrawn,
  left: m.guests_state_left,
};

export function guestStateText(state: GuestState): string {
  return states[state]();
}

const guestFailures: FailureTexts = {
  too_many_invitations: m.guests_problem_many,
  just_sent: m.guests_problem_sent_just,
  too_many_sends: m.guests_problem_sent_often,
  invitation_answered: m.guests_problem_answered,
  guests_full: m.guests_full,
  already_started: m.guests_begun,
  feature_off: m.guests_problem_off,
  wrong_status: m.guests_problem_changed,
  invitation_over: m.guests_problem_changed,
  guest: m.guests_problem_changed,
  appointment: m.guests_problem_changed,
};

export function guestFailureText(error: unknown, general: FailureTexts = {}): string {
  return failureText(error, { ...general, ...guestFailures });
}

/** Guests of one's own session, updated live. */
export function useGuests(appointmentId: string, enabled = true) {
  useGuestNews();
  return useQuery({
    ...api.attendees.list.queryOptions({ input: { appointmentId } }),
    enabled,
  });
}

/** Sessions one is invited to, updated live. */
export function useGuestSessions() {
  useGuestNews();
  return useQuery({
    ...api.attendees.mine.queryOptions(),
    // Poll: sessions end without a server event.
    refetchInterval: 60_000,
  });
}

function useGuestNews() {
  useLiveQueries(api.attendees.key(), 'booking.changed');
}
