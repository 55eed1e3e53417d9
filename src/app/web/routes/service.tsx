import { BookOpen, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { data, Link } from 'react-router';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { priceText } from '#/features/catalogue/rules.ts';
import { ServiceIcon } from '#/features/catalogue/ui/service-icon.tsx';
import { FeaturedSpecialist } from '#/features/providers/ui/featured-specialist.tsx';
import { TestimonialCard } from '#/features/reviews/ui/testimonial-card.tsx';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Container, VisuallyHidden } from '#/web/components/page.tsx';
import { useGoBack } from '#/web/go-back.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { pageRequest } from '../contexts.ts';
import { organization, pageMeta, siteHead, unlistedMeta } from '../page-meta.ts';
import { Scripture } from '../scripture.tsx';
import type { Route } from './+types/service.ts';

export async function loader({ context, params: { serviceId } }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const services = await api.catalogue.services();
  if (!services.some(({ id }) => id === serviceId)) {
    return data({ service: null, specialists: [], testimonials: [], related: [] }, { status: 404 });
  }
  const [service, specialists, testimonials, related] = await Promise.all([
    api.catalogue.service({ id: serviceId }),
    api.providers.list({ serviceId, limit: 100 }),
    api.reviews.ofService({ serviceId }),
    api.resources.related({ serviceId }),
  ]);
  return data({ service, specialists, testimonials, related });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  const service = loaderData?.service;
  if (!service) return unlistedMeta(head.site, m.services_not_found());
  const path = `/service/${service.id}`;
  return pageMeta(head, {
    title: m.services_detail_meta_title({ service: service.title, site: head.site.siteName }),
    description: service.description,
    path,
    structured: [
      {
        '@type': 'Service',
        name: service.title,
        serviceType: service.category,
        description: service.description,
        url: `${head.appUrl}${path}`,
        provider: organization(head),
        offers: { '@type': 'Offer', price: (service.priceCents / 100).toFixed(2), priceCurrency: 'USD' },
      },
    ],
  });
}

export default function Service({ loaderData }: Route.ComponentProps) {
  const { service, specialists, testimonials, related } = loaderData;
  if (!service) return <NotOffered />;
  return <Detail service={service} specialists={specialists} testimonials={testimonials} related={related} />;
}

type Loaded = Route.ComponentProps['loaderData'];

function Detail({
  service,
  specialists,
  testimonials,
  related,
}: {
  service: NonNullable<Loaded['service']>;
  specialists: Loaded['specialists'];
  testimonials: Loaded['testimonials'];
  related: Loaded['related'];
}) {
  const { openBooking } = useBooking();
  const book = (providerId?: string) => openBooking({ serviceId: service.id, providerId });
  return (
    <>
      <div className="border-b border-line bg-sunken">
        <Container className="py-8 sm:py-12">
          <Link to="/services" className="inline-flex min-h-11 items-center text-primary hover:underline">
            ← {m.services_back()}
          </Link>
          <div className="mt-3 flex gap-5 max-sm:flex-col sm:items-start">
            <ServiceIcon service={service} />
            <div className="max-w-reading">
              <h1 className="text-3xl">{service.title}</h1>
              <p className="mt-3 text-lg whitespace-pre-line">{service.description}</p>
            </div>
          </div>
        </Container>
      </div>
      <Container className="grid gap-x-14 gap-y-12 py-10 sm:py-14 lg:grid-cols-[1fr_19rem]">
        <div className="grid min-w-0 gap-12">
          {(service.supportOffered || service.basedOn || service.issuesAddressed.length > 0) && (
            <Part id="overview" title={m.services_overview()}>
              <Overview service={service} />
            </Part>
          )}
          {service.spiritualThemes.length > 0 && (
            <Part id="themes" title={m.services_themes()}>
              <div className="grid gap-6">
                {service.spiritualThemes.map(({ verse, quote }) => (
                  <Scripture key={verse} quote={quote} verse={verse} />
                ))}
              </div>
            </Part>
          )}
          <Part id="specialists" title={m.services_available()}>
            {specialists.length === 0 ? (
              <div className="grid justify-items-start gap-4">
                <p className="text-quiet">{m.services_available_empty()}</p>
                <ButtonLink to="/therapists" variant="secondary">
                  {m.services_all_specialists()}
                </ButtonLink>
              </div>
            ) : (
              <ul className="grid gap-5 md:grid-cols-2">
                {specialists.map((specialist) => (
                  <FeaturedSpecialist
                    key={specialist.id}
                    specialist={specialist}
                    actions={
                      <Button variant="secondary" onClick={() => book(specialist.id)}>
                        <span>
                          {m.site_book_session()}
                          <VisuallyHidden> {m.web_with_name({ name: specialist.name })}</VisuallyHidden>
                        </span>
                      </Button>
                    }
                  />
                ))}
              </ul>
            )}
          </Part>
          {testimonials.length > 0 && (
            <Part id="testimonials" title={m.services_testimonials()}>
              <ul className="grid gap-5 md:grid-cols-2">
                {testimonials.map((testimonial) => (
                  <TestimonialCard key={testimonial.id} testimonial={testimonial} withService={false} />
                ))}
              </ul>
            </Part>
          )}
          {related.length > 0 && (
            <Part id="resources" title={m.services_resources()}>
              <ul className="mt-1">
                {related.map(({ id, title }) => (
                  <li key={id} className="flex gap-2.5">
                    <BookOpen aria-hidden className="mt-3.5 size-4.5 shrink-0 text-quiet" />
                    <Link
                      to={`/resources/${id}`}
                      className="py-2.5 text-primary underline hover:text-primary-strong"
                    >
                      {title}
                    </Link>
                  </li>
                ))}
              </ul>
            </Part>
          )}
        </div>
        <Aside service={service} onBook={() => book(specialists[0]?.id)} />
      </Container>
    </>
  );
}

/** Services added by administrators may lack details. */
function Overview({ service }: { service: NonNullable<Loaded['service']> }) {
  return (
    <div className="grid gap-6">
      {service.supportOffered && (
        <div>
          <h3 className="text-lg">{m.services_support_offered()}</h3>
          <p className="mt-1">{service.supportOffered}</p>
        </div>
      )}
      {service.basedOn && (
        <div>
          <h3 className="text-lg">{m.services_based_on()}</h3>
          <p className="mt-1">{service.basedOn}</p>
        </div>
      )}
      {service.issuesAddressed.length > 0 && (
        <div>
          <h3 className="text-lg">{m.services_issues()}</h3>
          <ul className="mt-2 grid gap-x-8 gap-y-2 sm:grid-cols-2">
            {service.issuesAddressed.map((issue) => (
              <li key={issue} className="flex gap-2.5">
                <Check aria-hidden className="mt-1 size-4.5 shrink-0 text-sage" />
                {issue}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Sticky: beside the text; on phones, below it. */
function Aside({ service, onBook }: { service: NonNullable<Loaded['service']>; onBook: () => void }) {
  // Only signed-in people have the bottom bar.
  const edge = useViewer() ? 'max-lg:bottom-[calc(4rem+env(safe-area-inset-bottom))]' : 'max-lg:bottom-0';
  return (
    <aside
      className={classes('max-lg:sticky max-lg:z-20 max-lg:-mx-4 max-lg:self-end sm:max-lg:-mx-6', edge)}
    >
      <Card className="max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:justify-between max-lg:gap-4 max-lg:rounded-none max-lg:border-x-0 max-lg:px-4! max-lg:py-3! sm:max-lg:px-6! lg:sticky lg:top-24">
        <h2 className="text-xl max-lg:sr-only">{m.services_ready()}</h2>
        <dl className="grid gap-1 max-lg:gap-0 max-lg:text-sm lg:mt-4 lg:gap-3">
          <div>
            <dt className="text-sm text-quiet max-lg:sr-only">{m.services_length()}</dt>
            <dd>{m.web_minutes({ minutes: service.durationMinutes })}</dd>
          </div>
          <div>
            <dt className="text-sm text-quiet max-lg:sr-only">{m.services_price()}</dt>
            <dd>
              <span className="lg:hidden">{priceText(service.priceCents)}</span>
              <span className="max-lg:hidden">
                {m.services_price_settled({ price: priceText(service.priceCents) })}
              </span>
            </dd>
          </div>
        </dl>
        <Button onClick={onBook} className="xs:shrink-0 lg:mt-5 lg:w-full">
          {m.services_book_now()}
        </Button>
      </Card>
    </aside>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-4 text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

function NotOffered() {
  const goBack = useGoBack('/services');
  const hydrated = useHydrated();
  return (
    <Container className="py-12 sm:py-16">
      <EmptyState
        as="h1"
        illustration={<WindowIllustration />}
        title={m.services_not_found()}
        action={
          <Button disabled={!hydrated} onClick={goBack}>
            {m.services_go_back()}
          </Button>
        }
      >
        {m.services_not_found_text()}
      </EmptyState>
    </Container>
  );
}
