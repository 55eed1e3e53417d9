import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { GuestSession } from '../contract.ts';
import type { CalendarRequest, FiledSession } from '#/features/appointments/ui/calendar-entry.ts';
import { download } from '#/web/download.ts';

/** Downloads a calendar file; discreet for guests. */
export function SessionFileButton({ appointmentId, guest }: { appointmentId: string; guest: boolean }) {
  const queries = useQueryClient();
  const take = useMutation({
    mutationFn: async () => {
      const [code, me, site, session] = await Promise.all([
        loadCalendar(),
        queries.query(api.accounts.me.queryOptions()),
        queries.query(api.settings.site.queryOptions()),
        guest
          ? queries.query(api.attendees.mine.queryOptions()).then((all) => filed(all, appointmentId))
          : queries.query(api.appointments.get.queryOptions({ input: { appointmentId } })),
      ]);
      if (!me || !session) throw new Error('session not found');
      const wish: CalendarRequest = {
        reminderMinutes: session.reminderMinutes,
        discreet: guest || me.keepDiscreet,
        siteUrl: window.location.origin,
        supportEmail: site.supportEmail,
        email: me.email,
      };
      const file = code.sessionsFile([session], wish, Date.now());
      if (!file) throw new Error('could not create the calendar file');
      download(file);
    },
    onSuccess: () => toast.done(m.booking_downloaded()),
    onError: () => toast.failed(m.booking_download_failed(), m.booking_download_failed_text()),
  });
  return (
    <Button variant="secondary" busy={take.isPending} onClick={() => take.mutate()}>
      <CalendarPlus aria-hidden />
      {m.guests_calendar()}
    </Button>
  );
}

/** Some browsers lack Temporal. */
async function loadCalendar() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
  return import('#/features/appointments/ui/calendar-entry.ts');
}

/** In minutes before the start. */
const guestReminder = 60;

function filed(
  all: readonly GuestSession[],
  appointmentId: string,
): (FiledSession & { reminderMinutes: number }) | null {
  const session = all.find((one) => one.appointmentId === appointmentId);
  if (!session) return null;
  const { sequence, status, sessionType, startsAt, endsAt, provider, timeZone } = session;
  return {
    id: appointmentId,
    sequence,
    status,
    sessionType,
    startsAt,
    durationMinutes: (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000,
    reminderMinutes: guestReminder,
    service: { title: '' },
    provider: { name: provider.name, timeZone, location: '' },
  };
}
