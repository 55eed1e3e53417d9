import { useLocation } from 'react-router';
import { AddProviderForm, type PromotedClient } from '#/features/providers/ui/add-provider-form.tsx';
import { m } from '#/texts/messages.js';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { DashboardHeading } from '../dashboard-frame.tsx';
import { unlisted } from '../page-meta.ts';
import { loadServices } from '../service-titles.ts';
import type { Route } from './+types/admin-add-provider.ts';

export const loader = loadServices;

export const meta = unlisted(m.applications_add_title);

export default function AdminAddProvider({ loaderData: { services } }: Route.ComponentProps) {
  const hydrated = useHydrated();
  const promoted = useLocation().state as PromotedClient | null;
  return (
    <>
      <DashboardHeading title={m.applications_add_title()}>{m.applications_add_intro()}</DashboardHeading>
      <div className="mt-8">
        {/* Defaults to the browser's time zone. */}
        {hydrated ? (
          <AddProviderForm services={services} promoted={promoted} />
        ) : (
          <Skeleton className="h-96" />
        )}
      </div>
    </>
  );
}
