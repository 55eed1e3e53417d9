import { useMutation, useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { failureReason, isRefusal, type FailureNotice } from '#/web/failures.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';
import { appointmentFailure, type About } from './failure-text.ts';

export function useForBoth<Wish>(call: (wish: Wish) => Promise<AdministeredAppointment>, onDone: () => void) {
  const queries = useQueryClient();
  const refresh = () =>
    void Promise.all(
      [api.appointments.administration.key(), api.appointments.oversight.key(), api.audit.list.key()].map(
        (queryKey) => queries.invalidateQueries({ queryKey }),
      ),
    );
  return useMutation({
    mutationFn: call,
    onSuccess: () => {
      refresh();
      onDone();
    },
    onError: (error) => {
      // A refusal means the page or its offered times are stale.
      if (isRefusal(error)) refresh();
    },
  });
}

export function forBothProblem(error: unknown, about: About): FailureNotice {
  const reason = failureReason(error);
  if (reason === 'changed_meanwhile' || reason === 'wrong_status') {
    return {
      title: m.appointments_admin_problem_changed(),
      text: m.appointments_admin_problem_changed_text(),
    };
  }
  if (reason === 'own_clash') {
    return { title: m.appointments_admin_problem_client(), text: m.booking_problem_choose() };
  }
  return appointmentFailure(error, about);
}
