import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import type { AppointmentStatus, AppointmentView } from '../appointment/contract.ts';
import type { Party } from '../appointment/rules.ts';

const tones = {
  pending: 'gold',
  confirmed: 'primary',
  completed: 'sage',
  cancelled: 'neutral',
  no_show: 'clay',
} as const;

/** Status labels differ between client and provider. */
export function StatusBadge({
  appointment: { status, expired },
  party,
}: {
  appointment: Pick<AppointmentView, 'status' | 'expired'>;
  party: Party;
}) {
  return (
    <Badge tone={tones[status]}>{expired ? m.booking_status_expired() : statusText(status, party)}</Badge>
  );
}

export function statusText(status: AppointmentStatus, party: Party): string {
  switch (status) {
    case 'pending':
      return party === 'client' ? m.booking_waiting() : m.booking_status_pending();
    case 'confirmed':
      return party === 'client' ? m.booking_status_upcoming() : m.booking_status_confirmed();
    case 'completed':
      return m.booking_status_completed();
    case 'cancelled':
      return m.booking_status_cancelled();
    case 'no_show':
      return m.booking_status_missed();
  }
}
