import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { isForSeveral } from '../rules.ts';
import { useGuests, guestStateText } from './guest-list.ts';

export function useForSeveral({ service }: Pick<AppointmentView, 'service'>): boolean {
  const site = useQuery(api.settings.site.queryOptions());
  return isForSeveral(service.id) && (site.data?.flags.includes('group_sessions') ?? false);
}

export function GuestLine({ appointment }: { appointment: AppointmentView }) {
  return useForSeveral(appointment) ? <Guests appointmentId={appointment.id} /> : null;
}

function Guests({ appointmentId }: { appointmentId: string }) {
  const guests = useGuests(appointmentId).data?.guests.filter(({ state }) => state !== 'withdrawn') ?? [];
  if (guests.length === 0) return null;
  return (
    <li className="flex items-start gap-2.5 [&>svg]:mt-1 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-quiet">
      <UsersRound aria-hidden />
      <span className="min-w-0 flex-1 break-words">
        <span className="sr-only">{m.guests_with()}: </span>
        {guests.map(({ name, state }) => m.guests_person({ name, state: guestStateText(state) })).join(', ')}
      </span>
    </li>
  );
}
