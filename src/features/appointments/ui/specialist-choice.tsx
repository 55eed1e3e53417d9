import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { priceText } from '#/features/catalogue/rules.ts';
import { confidentialityLine } from '#/features/providers/rules.ts';
import { kindText } from '#/features/providers/practice/rules.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { Rating } from '#/web/components/stars.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';

/** Picks a service first, then a specialist. */
export function SpecialistChoice({
  serviceId: given,
  onChoose,
}: {
  serviceId: string | undefined;
  onChoose: (whom: { providerId: string; serviceId: string }) => void;
}) {
  const [serviceId, setServiceId] = useState(given ?? '');
  const services = useQuery(api.catalogue.services.queryOptions());
  const specialists = useQuery({
    ...api.providers.list.queryOptions({ input: { serviceId } }),
    enabled: serviceId !== '',
  });
  const failed = [services, specialists].find(({ isError }) => isError);
  const service = services.data?.find(({ id }) => id === serviceId);
  return (
    <div className="grid gap-6">
      {services.isPending ? (
        <Loading>
          <Skeleton className="h-20" />
        </Loading>
      ) : (
        <Field
          label={m.booking_service()}
          hint={service && `${service.description} ${minutesAndPrice(service)}`}
        >
          <Select value={service ? serviceId : ''} onChange={(event) => setServiceId(event.target.value)}>
            {!service && <option value="">{m.booking_service_choose()}</option>}
            {services.data?.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {failed && <LoadFailed title={m.booking_choice_failed()} query={failed} />}
      {service && !failed && (
        <section aria-label={m.booking_specialist()}>
          <h3 className="mb-2 font-sans text-base font-semibold">{m.booking_specialist()}</h3>
          {specialists.isPending && (
            <Loading>
              <div className="grid gap-3">
                <Skeleton className="h-20" />
                <Skeleton className="h-20" />
              </div>
            </Loading>
          )}
          {specialists.data?.length === 0 && <p className="text-quiet">{m.booking_specialists_none()}</p>}
          <ul className="grid gap-3 sm:grid-cols-2">
            {specialists.data?.map((specialist) => (
              <li key={specialist.id}>
                <button
                  type="button"
                  onClick={() => onChoose({ providerId: specialist.id, serviceId })}
                  className="flex h-full w-full items-center gap-4 rounded-control border border-control p-3.5 text-left transition-colors duration-150 hover:bg-sunken"
                >
                  <Avatar id={specialist.id} name={specialist.name} src={specialist.photoUrl} />
                  <span className="min-w-0">
                    <span className="block font-semibold">{specialist.name}</span>
                    <span className="block text-sm text-quiet">{specialist.title}</span>
                    <Badge tone="primary" className="my-1">
                      {kindText(specialist.kind)}
                    </Badge>
                    <span className="block text-sm text-quiet">{confidentialityLine(specialist.kind)}</span>
                    {specialist.rating !== null && <Rating rating={specialist.rating} />}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function minutesAndPrice({
  durationMinutes,
  priceCents,
}: {
  durationMinutes: number;
  priceCents: number;
}): string {
  return m.booking_minutes_price({ minutes: durationMinutes, price: priceText(priceCents) });
}
