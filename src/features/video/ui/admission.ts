import { useMutation, useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { Caller } from './waiting-callers.tsx';

/** Lets people in from the waiting room. */
export function useAdmission(appointmentId: string) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const admit = useMutation({
    mutationFn: ({ personId }: Caller) => api.video.admit.call({ appointmentId, personId }),
    onSettled: () => queries.invalidateQueries({ queryKey: api.video.room.key() }),
    onError: () => toast({ tone: 'destructive', title: m.video_admit_failed() }),
  });
  return {
    /** Person being admitted. */
    admitting: admit.isPending ? admit.variables.personId : null,
    admit: (caller: Caller) => admit.mutate(caller),
  };
}
