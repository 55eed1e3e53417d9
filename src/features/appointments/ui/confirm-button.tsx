import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { AppointmentView } from '../appointment/contract.ts';
import { refetchAppointments } from './refetch-appointments.ts';

/** Asks nothing, since a confirmed session can still be canceled. */
export function ConfirmButton({
  appointment: { id: appointmentId, provider },
  ...look
}: { appointment: AppointmentView } & Pick<ComponentProps<typeof Button>, 'size' | 'className'>) {
  const queries = useQueryClient();
  const confirm = useMutation({
    ...api.appointments.confirm.mutationOptions(),
    onSuccess: async () => {
      await refetchAppointments(queries);
      toast.done(m.booking_confirm_done());
    },
    onError: async (error) => {
      void refetchAppointments(queries);
      const { appointmentFailure } = await import('./failure-text.ts');
      const { title, text } = appointmentFailure(error, { name: provider.name, existing: true });
      toast.failed(title, text);
    },
  });
  return (
    <Button {...look} busy={confirm.isPending} onClick={() => confirm.mutate({ appointmentId })}>
      {m.booking_action_confirm()}
    </Button>
  );
}
