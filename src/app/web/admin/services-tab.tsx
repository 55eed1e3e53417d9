import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ServicesList } from '#/features/catalogue/ui/services-list.tsx';
import { api } from '#/web/api.tsx';

export function ServicesTab() {
  const { data } = useQuery(api.providers.perService.queryOptions());
  const specialists = useMemo(
    () => data && new Map(data.map((one) => [one.serviceId, one.specialists])),
    [data],
  );
  return <ServicesList specialists={specialists} />;
}
