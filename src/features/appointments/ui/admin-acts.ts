import { useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { failureReason, isRefusal, type FailureNotice } from '#/web/failures.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';
import { appointmentFailure, type About } from './failure-text.ts';

interface Page {
  appointments: AdministeredAppointment[];
}

export function useForBoth<Wish>(
  call: (
    api: ReturnType<typeof useApi>['appointments']['administration'],
    wish: Wish,
  ) => Promise<AdministeredAppointment>,
  onDone: () => void,
) {
  const { administration } = useApi().appointments;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wish: Wish) => call(administration, wish),
    networkMode: 'always',
    onSuccess: (changed) => {
      // Patches the cache: refetching would log another search.
      queries.setQueriesData<InfiniteData<Page>>(
        { queryKey: administration.find.key() },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              appointments: page.appointments.map((one) => (one.id === changed.id ? changed : one)),
            })),
          },
      );
      void queries.invalidateQueries({ queryKey: administration.freeStarts.key() });
      onDone();
    },
    onError: (error) => {
      // A refusal means the list or its offered times are stale.
      if (!isRefusal(error)) return;
      const behind = ['wrong_status', 'changed_meanwhile', 'already_started', 'appointment'];
      void queries.invalidateQueries({
        queryKey: behind.includes(error.reason) ? administration.find.key() : administration.freeStarts.key(),
      });
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
