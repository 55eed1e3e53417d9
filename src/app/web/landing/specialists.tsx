import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import type { Specialist } from '#/features/providers/contract.ts';
import { SpecialistCard } from '#/features/providers/ui/specialist-card.tsx';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Container, SectionHeading, VisuallyHidden } from '#/web/components/page.tsx';

export function Specialists({ specialists }: { specialists: readonly Specialist[] }) {
  const { openBooking } = useBooking();
  return (
    <section
      id="specialists"
      aria-labelledby="specialists-title"
      className="-scroll-mt-8 border-y border-line bg-sunken py-16 sm:py-20"
    >
      <Container>
        <SectionHeading id="specialists-title" title={m.landing_specialists_title()} centered>
          {m.landing_specialists_text()}
        </SectionHeading>
        {specialists.length === 0 ? (
          <EmptyState title={m.landing_specialists_empty_title()}>
            {m.landing_specialists_empty_text()}
          </EmptyState>
        ) : (
          <>
            <ul className="mt-10 grid gap-5 sm:gap-6 md:grid-cols-2 lg:grid-cols-3">
              {specialists.map((specialist) => (
                <SpecialistCard
                  key={specialist.id}
                  specialist={specialist}
                  actions={
                    <>
                      <Button variant="secondary" onClick={() => openBooking({ providerId: specialist.id })}>
                        <span>
                          {m.therapists_book_consultation()}
                          <VisuallyHidden>
                            {' '}
                            {m.site_with_specialist({ name: specialist.name })}
                          </VisuallyHidden>
                        </span>
                      </Button>
                      <ButtonLink
                        about={m.site_of_specialist({ name: specialist.name })}
                        to={`/therapists#${specialist.id}`}
                        variant="quiet"
                      >
                        {m.therapists_view_profile()}
                      </ButtonLink>
                    </>
                  }
                />
              ))}
            </ul>
            <p className="mt-8 text-center">
              <ButtonLink to="/therapists" variant="secondary">
                {m.landing_specialists_all()}
              </ButtonLink>
            </p>
          </>
        )}
      </Container>
    </section>
  );
}
