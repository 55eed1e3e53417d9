import { AddProviderForm } from '#/features/providers/ui/add-provider-form.tsx';
import { m } from '#/texts/messages.js';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { pageRequest } from '../contexts.ts';
import { DashboardHeading } from '../dashboard-frame.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { serviceTitles } from '../service-titles.ts';
import type { Route } from './+types/admin-add-provider.ts';

export async function loader({ context }: Route.LoaderArgs) {
  return { services: await serviceTitles(context.get(pageRequest)) };
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.applications_add_title());
}

export default function AdminAddProvider({ loaderData: { services } }: Route.ComponentProps) {
  const hydrated = useHydrated();
  return (
    <>
      <DashboardHeading title={m.applications_add_title()}>{m.applications_add_intro()}</DashboardHeading>
      <div className="mt-8">
        {/* Defaults to the browser's time zone. */}
        {hydrated ? <AddProviderForm services={services} /> : <Skeleton className="h-96" />}
      </div>
    </>
  );
}
