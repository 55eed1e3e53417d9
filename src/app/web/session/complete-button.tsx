import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { refetchAppointments } from '#/features/appointments/ui/refetch-appointments.ts';

export function CompleteButton({ appointmentId }: { appointmentId: string }) {
  const queries = useQueryClient();
  const complete = useMutation({
    mutationFn: () => api.appointments.complete.call({ appointmentId }),
    onSuccess: () => toast.done(m.booking_complete_done()),
    onError: () => toast.failed(m.video_complete_failed()),
    onSettled: () =>
      Promise.all([queries.invalidateQueries({ queryKey: api.video.key() }), refetchAppointments(queries)]),
  });
  return (
    <Button busy={complete.isPending} onClick={() => complete.mutate()}>
      <CheckCheck aria-hidden />
      {m.booking_action_complete()}
    </Button>
  );
}
