import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { ServiceCard } from '#/features/catalogue/ui/service-card.tsx';
import { m } from '#/texts/messages.js';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';

export function CoreServices({
  services,
}: {
  services: readonly (ServiceSummary & { firstSpecialistId: string | undefined })[];
}) {
  const { openBooking } = useBooking();
  return (
    <section id="services" aria-labelledby="services-title" className="-scroll-mt-8 py-16 sm:py-20">
      <Container>
        <SectionHeading id="services-title" title={m.landing_services_title()} centered>
          {m.landing_services_text()}
        </SectionHeading>
        {services.length === 0 && (
          <EmptyState title={m.services_empty_title()}>{m.services_empty_text()}</EmptyState>
        )}
        <ul className="mt-10 grid gap-5 sm:gap-6 md:grid-cols-2 lg:grid-cols-3">
          {services.map((service) => (
            <ServiceCard
              key={service.id}
              service={service}
              onBook={() => openBooking({ serviceId: service.id, providerId: service.firstSpecialistId })}
            />
          ))}
        </ul>
      </Container>
    </section>
  );
}
