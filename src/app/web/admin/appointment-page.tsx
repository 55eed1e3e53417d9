import { can } from '#/features/access/rules.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import {
  AdminAppointmentFacts,
  AdminAppointmentHead,
  AdminAppointmentLog,
  useAdminAppointment,
} from '#/features/appointments/ui/admin-appointment.tsx';
import { Trail } from '#/features/audit/ui/trail.tsx';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ConsoleColumns, ConsolePage } from './console-page.tsx';

export function AppointmentPage({ id, siteZone }: { id: string; siteZone: string }) {
  const role = useViewer()?.role ?? null;
  const query = useAdminAppointment(id);
  useLiveQueries(api.appointments.oversight.key(), 'booking.changed');
  useLiveQueries(api.audit.list.key(), 'booking.changed');
  return (
    <ConsolePage
      query={query}
      list={{ to: '/admin/appointments', name: m.appointments_admin_title() }}
      title={m.appointments_admin_one()}
      missing={m.appointments_admin_missing()}
    >
      {(appointment) => (
        <>
          <AdminAppointmentHead appointment={appointment} siteZone={siteZone} />
          <ConsoleColumns
            main={<AdminAppointmentFacts appointment={appointment} />}
            aside={<AdminAppointmentLog appointment={appointment} />}
            rest={
              can(role, 'view_all_data') && (
                <Trail title={m.appointments_admin_history()} about={[id, appointment.bookingId]} />
              )
            }
          />
        </>
      )}
    </ConsolePage>
  );
}
