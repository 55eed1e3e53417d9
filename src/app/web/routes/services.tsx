import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { ServiceCard } from '#/features/catalogue/ui/service-card.tsx';
import { m } from '#/texts/messages.js';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { organization, pageMeta, siteHead } from '../page-meta.ts';
import type { Route } from './+types/services.ts';

/** Names before "+N more" (client spec, section 2). */
const namesShown = 2;

export async function loader({ context }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const [services, specialists] = await Promise.all([
    api.catalogue.services(),
    api.providers.list({ limit: 100 }),
  ]);
  return {
    services: services.map((service) => {
      const own = specialists.filter(({ serviceIds }) => serviceIds.includes(service.id));
      return {
        ...service,
        firstSpecialistId: own[0]?.id,
        names: own.slice(0, namesShown).map(({ name }) => name),
        more: Math.max(0, own.length - namesShown),
      };
    }),
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.services_meta_title({ site: head.site.siteName }),
    description: m.services_meta_description(),
    path: '/services',
    structured: loaderData
      ? [
          {
            '@type': 'ItemList',
            name: m.services_heading(),
            itemListElement: loaderData.services.map(({ id, title, description }, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              item: {
                '@type': 'Service',
                name: title,
                description,
                url: `${head.appUrl}/service/${id}`,
                provider: organization(head),
              },
            })),
          },
        ]
      : [],
  });
}

export default function Services({ loaderData: { services } }: Route.ComponentProps) {
  const { openBooking } = useBooking();
  return (
    <Container className="py-10 sm:py-14">
      <SectionHeading as="h1" title={m.services_heading()}>
        {m.services_text()}
      </SectionHeading>
      {services.length === 0 && (
        <EmptyState as="h2" illustration={<WindowIllustration />} title={m.services_empty_title()}>
          {m.services_empty_text()}
        </EmptyState>
      )}
      <h2 className="sr-only">{m.services_title()}</h2>
      <ul className="mt-8 grid gap-5 sm:gap-6 md:grid-cols-2 lg:grid-cols-3">
        {services.map((service) => (
          <ServiceCard
            key={service.id}
            service={service}
            onBook={() => openBooking({ serviceId: service.id, providerId: service.firstSpecialistId })}
          >
            <dl className="mt-4 grid gap-3 border-t border-line pt-4 text-sm">
              {service.basedOn && (
                <div>
                  <dt className="text-quiet">{m.services_based_on()}</dt>
                  <dd className="font-medium">{service.basedOn}</dd>
                </div>
              )}
              <div>
                <dt className="text-quiet">{m.services_specialists()}</dt>
                <dd className="font-medium">
                  {service.names.length > 0 ? service.names.join(', ') : m.services_no_specialists()}
                  {service.more > 0 && (
                    <span className="text-quiet"> {m.site_and_more({ count: service.more })}</span>
                  )}
                </dd>
              </div>
            </dl>
          </ServiceCard>
        ))}
      </ul>
    </Container>
  );
}
