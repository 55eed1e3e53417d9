import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { siteHead, unlisted } from '../page-meta.ts';
import type { Route } from './+types/admin-appointments.ts';

const AdminAppointments = lazyPart(
  async () => (await import('#/features/appointments/ui/admin-appointments.tsx')).AdminAppointments,
  () => <Spinner label={m.admin_loading()} />,
);

export const meta = unlisted(m.appointments_admin_title);

export default function Appointments({ matches }: Route.ComponentProps) {
  return <AdminAppointments siteZone={siteHead(matches).site.timeZone} />;
}
