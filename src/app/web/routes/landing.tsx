import { replace } from 'react-router';
import { BadgeCheck, Church, Users, Lock, CalendarCheck, Search, UserRound } from 'lucide-react';
import { safeReturnPath } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import { lazyPart } from '#/web/lazy-part.tsx';
import { ButtonLink, Button } from '#/web/components/button.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { Container, SectionHeading, VisuallyHidden } from '#/web/components/page.tsx';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { HandsIllustration } from '#/web/components/illustrations/hands.tsx';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { ServiceCard } from '#/features/catalogue/ui/service-card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import type { Specialist } from '#/features/providers/contract.ts';
import { FeaturedSpecialist } from '#/features/providers/ui/featured-specialist.tsx';
import { pageRequest } from '../contexts.ts';
import { Testimonials } from '../testimonials.tsx';
import { organization, pageMeta, siteHead, unlistedMeta } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import { Scripture } from '../scripture.tsx';
import type { Route } from './+types/landing.ts';

/** Lazy: most visitors don't sign in. */
const AuthCard = lazyPart(async () => (await import('#/features/accounts/ui/auth-card.tsx')).AuthCard);

/** Specialists on the landing page (client spec, section 9). */
const specialistsShown = 3;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const query = new URL(request.url).searchParams;
  if (query.get('auth') === '1') {
    // Also applies right after sign-in; `replace` keeps the card out of browser history.
    if (await api.accounts.me()) return replace(safeReturnPath(query.get('next')));
    return null;
  }
  const [services, specialists, testimonials] = await Promise.all([
    api.catalogue.services(),
    api.providers.list({ limit: 100 }),
    api.reviews.featured(),
  ]);
  const first = (id: string) => specialists.find(({ serviceIds }) => serviceIds.includes(id))?.id;
  return {
    services: services.map((service) => ({ ...service, firstSpecialistId: first(service.id) })),
    specialists: specialists.slice(0, specialistsShown),
    testimonials,
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  if (!loaderData) return unlistedMeta(head.site, m.site_log_in());
  const { siteName } = head.site;
  return pageMeta(head, {
    title: m.landing_title({ site: siteName }),
    description: m.landing_description(),
    path: '/',
    structured: [
      {
        ...organization(head),
        makesOffer: loaderData.services.map(({ id, title }) => ({
          '@type': 'Offer',
          itemOffered: { '@type': 'Service', name: title, url: `${head.appUrl}/service/${id}` },
        })),
      },
      { '@type': 'WebSite', name: siteName, url: `${head.appUrl}/` },
    ],
  });
}

export default function Landing({ loaderData }: Route.ComponentProps) {
  if (loaderData) return <Welcome {...loaderData} />;
  return <AuthCard />;
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']>;

function Welcome({ services, specialists, testimonials }: Loaded) {
  return (
    <SiteFrame tabs="landing" services={services}>
      <Hero />
      <WelcomeCard />
      <CoreServices services={services} />
      <Specialists specialists={specialists} />
      <Testimonials testimonials={testimonials} />
      <HowItWorks />
    </SiteFrame>
  );
}

function Hero() {
  const badges = [
    { Icon: BadgeCheck, label: m.landing_badge_licensed() },
    { Icon: Church, label: m.landing_badge_faith() },
    { Icon: Users, label: m.landing_badge_community() },
  ];
  return (
    <Container className="grid items-center gap-10 pt-8 pb-12 sm:pt-12 lg:grid-cols-[1.15fr_1fr] lg:gap-16 lg:pt-16 lg:pb-16">
      <div>
        <h1 className="text-3xl sm:text-4xl">{m.landing_hero_title()}</h1>
        <p className="mt-4 max-w-reading text-lg text-quiet">{m.landing_hero_text()}</p>
        <Scripture className="mt-6" quote={m.landing_hero_verse()} verse={m.landing_hero_verse_source()} />
        <div className="mt-7">
          <ButtonLink to="#services" size="lg" className="max-sm:w-full">
            {m.landing_explore()}
          </ButtonLink>
        </div>
        <ul aria-label={m.landing_badges()} className="mt-7 flex flex-wrap gap-x-5 gap-y-2">
          {badges.map(({ Icon, label }) => (
            <li key={label} className="flex items-center gap-1.5 text-sm font-semibold">
              <Icon aria-hidden className="size-5 text-sage" />
              {label}
            </li>
          ))}
        </ul>
      </div>
      <PathIllustration className="mx-auto max-w-md lg:max-w-none" />
    </Container>
  );
}

function WelcomeCard() {
  const { hipaaAttested, demo } = useSite();
  return (
    <Container>
      <section
        aria-labelledby="welcome"
        className="grid items-center gap-x-10 gap-y-6 rounded-card border border-line bg-card p-6 shadow-soft sm:p-8 md:grid-cols-[11rem_1fr_auto]"
      >
        <HandsIllustration className="max-w-44 max-md:hidden" />
        <div className="max-w-reading">
          <h2 id="welcome" className="text-xl sm:text-2xl">
            {m.landing_welcome_title()}
          </h2>
          <p className="mt-2">{m.landing_welcome_text()}</p>
          <p className="mt-3 flex gap-2 text-sm text-quiet">
            <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
            {hipaaAttested || demo ? m.landing_private_attested() : m.landing_private()}
          </p>
        </div>
        <ButtonLink to="/services">{m.landing_start()}</ButtonLink>
      </section>
    </Container>
  );
}

function CoreServices({
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

function Specialists({ specialists }: { specialists: readonly Specialist[] }) {
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
                <FeaturedSpecialist
                  key={specialist.id}
                  specialist={specialist}
                  actions={
                    <>
                      <Button variant="secondary" onClick={() => openBooking({ providerId: specialist.id })}>
                        <span>
                          {m.therapists_book_consultation()}
                          <VisuallyHidden> {m.web_with_name({ name: specialist.name })}</VisuallyHidden>
                        </span>
                      </Button>
                      <ButtonLink
                        about={m.web_of_name({ name: specialist.name })}
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

function HowItWorks() {
  const steps = [
    { Icon: Search, title: m.landing_how_1_title(), text: m.landing_how_1_text() },
    { Icon: UserRound, title: m.landing_how_2_title(), text: m.landing_how_2_text() },
    { Icon: CalendarCheck, title: m.landing_how_3_title(), text: m.landing_how_3_text() },
  ];
  return (
    <section
      id="how-it-works"
      aria-labelledby="how-title"
      className="-scroll-mt-8 border-t border-line bg-card py-16 sm:py-20"
    >
      <Container>
        <SectionHeading id="how-title" title={m.site_nav_how()} centered>
          {m.landing_how_text()}
        </SectionHeading>
        <ol className="mt-10 grid gap-8 md:grid-cols-3">
          {steps.map(({ Icon, title, text }, index) => (
            <li key={title} className="flex gap-4 md:flex-col md:items-center md:text-center">
              <span
                aria-hidden
                className="relative grid size-14 shrink-0 place-items-center rounded-full bg-primary-soft text-primary"
              >
                <Icon className="size-6" />
                <span className="absolute -top-1 -right-1 grid size-6 place-items-center rounded-full bg-primary text-sm font-semibold text-on-primary">
                  {index + 1}
                </span>
              </span>
              <div>
                <h3 className="text-xl">{title}</h3>
                <p className="mt-1 max-w-sm text-quiet">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Container>
    </section>
  );
}
