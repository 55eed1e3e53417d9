import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';

const ServicesList = lazyPart(
  async () => (await import('#/features/catalogue/ui/services-list.tsx')).ServicesList,
  () => <Spinner label={m.services_admin_loading()} className="py-16" />,
);

export function ServicesTab() {
  const { data } = useQuery(api.providers.perService.queryOptions());
  const specialists = useMemo(
    () => data && new Map(data.map((one) => [one.serviceId, one.specialists])),
    [data],
  );
  return <ServicesList title={m.admin_tab_services()} specialists={specialists} />;
}
