import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { siteHead, unlisted } from '../page-meta.ts';
import type { Route } from './+types/admin-appointment.ts';

const AppointmentPage = lazyPart(
  async () => (await import('../admin/appointment-page.tsx')).AppointmentPage,
  () => <Spinner label={m.admin_loading()} />,
);

export const meta = unlisted(m.appointments_admin_one);

export default function AdminAppointment({ matches, params: { appointmentId } }: Route.ComponentProps) {
  return (
    <AppointmentPage key={appointmentId} id={appointmentId} siteZone={siteHead(matches).site.timeZone} />
  );
}
