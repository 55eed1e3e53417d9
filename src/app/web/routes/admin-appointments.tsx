import { m } from '#/texts/messages.js';
import { lazyPart } from '#/web/lazy-part.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/admin-appointments.ts';

const AdminAppointments = lazyPart(
  async () => (await import('#/features/appointments/ui/admin-appointments.tsx')).AdminAppointments,
);

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.appointments_admin_title());
}

export default function Appointments({ matches }: Route.ComponentProps) {
  return <AdminAppointments siteZone={siteHead(matches).site.timeZone} />;
}
