import { BadgeCheck, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { data, Link } from 'react-router';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { NextStartButtons } from '#/features/specialist-search/ui/next-starts.tsx';
import { ZoneNamed } from '#/features/specialist-search/ui/shown-zone.tsx';
import { priceText } from '#/features/catalogue/rules.ts';
import type { SpecialistPage } from '#/features/providers/contract.ts';
import type { NextStarts } from '#/features/specialist-search/contract.ts';
import { faithText } from '#/features/providers/rules.ts';
import { kindText } from '#/features/providers/practice/rules.ts';
import { SpecialistHead } from '#/features/providers/ui/specialist-head.tsx';
import { SpecialistReviews } from '#/features/reviews/ui/specialist-reviews.tsx';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Container } from '#/web/components/page.tsx';
import { monthAndYear } from '#/web/times.ts';
import { pageRequest } from '../contexts.ts';
import { SendMessage } from '#/features/messaging/ui/send-message.tsx';
import { nullIfMissing } from '../load-errors.ts';
import { OwnZoneScript } from '../own-zone-script.tsx';
import { organization, pageMeta, siteHead, unlistedMeta } from '../page-meta.ts';
import { useFreshTimes } from '../specialists/fresh-times.ts';
import { nextStartsOf } from '../specialists/next-starts.ts';
import { reviewsOf } from '../specialists/reviews.ts';
import type { Route } from './+types/therapist.ts';

export async function loader({ context, request, params: { slug } }: Route.LoaderArgs) {
  const page = context.get(pageRequest);
  const { api } = page;
  const [list, specialist] = await Promise.all([
    api.catalogue.services(),
    api.providers.bySlug({ slug }).catch(nullIfMissing),
  ]);
  if (!specialist) return data({ specialist, offered: [], next: undefined, reviews: null }, { status: 404 });
  const offered = list
    .filter(({ id }) => specialist.serviceIds.includes(id))
    .map(({ id, title, durationMinutes, priceCents }) => ({ id, title, durationMinutes, priceCents }));
  const [[next], reviews] = await Promise.all([
    nextStartsOf(page, [specialist.id]),
    specialist.reviewCount > 0 ? reviewsOf(page, specialist.id, new URL(request.url).searchParams) : null,
  ]);
  return data({ specialist, offered, next, reviews });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  const specialist = loaderData?.specialist;
  if (!specialist) return unlistedMeta(head.site, m.therapists_not_found());
  const { name, title, bio, slug, photoUrl, credentials } = specialist;
  const path = `/therapists/${slug}`;
  return pageMeta(head, {
    title: m.therapists_page_meta_title({ name, title, site: head.site.siteName }),
    description: bio.length > 300 ? `${bio.slice(0, 299)}…` : bio,
    path,
    structured: [
      {
        '@type': 'Person',
        '@id': `${head.appUrl}${path}#person`,
        name,
        jobTitle: title,
        description: bio,
        url: `${head.appUrl}${path}`,
        ...(photoUrl ? { image: `${head.appUrl}${photoUrl}` } : {}),
        knowsAbout: specialist.specialties,
        knowsLanguage: specialist.languages,
        worksFor: organization(head),
        hasCredential: credentials.map(({ kind, issuer, region }) => ({
          '@type': 'EducationalOccupationalCredential',
          credentialCategory: kind === 'licence' ? 'license' : 'ordination',
          recognizedBy: { '@type': 'Organization', name: issuer },
          validIn: { '@type': 'AdministrativeArea', name: region },
        })),
        makesOffer: loaderData.offered.map((service) => ({
          '@type': 'Offer',
          itemOffered: {
            '@type': 'Service',
            name: service.title,
            url: `${head.appUrl}/service/${service.id}`,
          },
          price: (service.priceCents / 100).toFixed(2),
          priceCurrency: 'USD',
        })),
      },
    ],
  });
}

type Loaded = Route.ComponentProps['loaderData'];

export default function Therapist({ loaderData: { specialist, ...more } }: Route.ComponentProps) {
  return (
    <Container className="pt-3 pb-8 sm:pt-6 sm:pb-12">
      {specialist ? (
        <Page specialist={specialist} {...more} />
      ) : (
        <EmptyState
          as="h1"
          illustration={<WindowIllustration />}
          title={m.therapists_not_found()}
          action={<ButtonLink to="/therapists">{m.therapists_back_all()}</ButtonLink>}
          className="py-12"
        >
          {m.therapists_not_found_text()}
        </EmptyState>
      )}
    </Container>
  );
}

function Page({
  specialist,
  offered,
  next,
  reviews,
}: Pick<Loaded, 'offered' | 'next' | 'reviews'> & { specialist: SpecialistPage }) {
  return (
    <>
      <Link to="/therapists" className="inline-flex min-h-11 items-center text-primary hover:underline">
        ← {m.therapists_back_all()}
      </Link>
      <article className="mt-2 grid gap-x-12 gap-y-6 lg:grid-cols-[1fr_19rem] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          <SpecialistHead as="h1" size="lg" specialist={specialist} />
        </div>
        <BookingCard specialist={specialist} next={next} />
        <div className="grid min-w-0 content-start gap-7 lg:col-start-1">
          <About specialist={specialist} />
          {offered.length > 0 && (
            <Part title={m.therapists_services()}>
              <ul className="divide-y divide-line rounded-card border border-line bg-card px-4 shadow-soft sm:px-6">
                {offered.map((service) => (
                  <Service key={service.id} service={service} specialist={specialist} />
                ))}
              </ul>
            </Part>
          )}
          <Credentials specialist={specialist} />
          {reviews && (
            <Part id="reviews" title={m.therapists_reviews_heading()}>
              <SpecialistReviews name={specialist.name} count={specialist.reviewCount} {...reviews} />
            </Part>
          )}
        </div>
      </article>
    </>
  );
}

function BookingCard({ specialist, next }: { specialist: SpecialistPage; next: NextStarts | undefined }) {
  const { openBooking } = useBooking();
  useFreshTimes(next);
  return (
    <aside className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
      <Card className="max-sm:p-4! lg:sticky lg:top-24">
        <h2 className="text-lg">{m.therapists_availability()}</h2>
        <ZoneNamed className="mt-1 mb-2 text-sm text-quiet" />
        <NextStartButtons
          next={next}
          name={specialist.name}
          className="grid-cols-3 lg:grid-cols-1"
          onBook={openBooking}
        />
        <OwnZoneScript />
        <div className="mt-3 flex flex-wrap gap-2 *:flex-auto">
          <Button
            about={m.web_with_name({ name: specialist.name })}
            size="sm"
            onClick={() => openBooking({ providerId: specialist.id })}
          >
            {m.site_book_session()}
          </Button>
          <SendMessage specialist={specialist} />
        </div>
      </Card>
    </aside>
  );
}

function About({ specialist }: { specialist: SpecialistPage }) {
  const facts: [name: string, value: ReactNode][] = [
    [m.therapists_experience(), specialist.experience],
    [m.therapists_languages(), specialist.languages.join(', ')],
    [m.therapists_location(), specialist.location],
    [m.therapists_traditions(), specialist.traditions.join(', ')],
    [m.therapists_faith(), faithText(specialist.faithPart)],
    [m.therapists_session_types(), <Meetings key="meetings" specialist={specialist} />],
    [
      m.therapists_education(),
      specialist.education.length > 0 && <Lines key="education" lines={specialist.education} />,
    ],
  ];
  return (
    <Part title={m.therapists_about({ name: specialist.name })}>
      <ul aria-label={m.therapists_specialties()} className="flex flex-wrap gap-1.5">
        {specialist.specialties.map((specialty) => (
          <li key={specialty}>
            <Badge className="wrap-anywhere">{specialty}</Badge>
          </li>
        ))}
      </ul>
      <p className="mt-3 max-w-reading wrap-anywhere whitespace-pre-line">{specialist.bio}</p>
      {specialist.approach && (
        <>
          <h3 className="mt-5 text-lg">{m.therapists_approach()}</h3>
          <p className="mt-1 max-w-reading wrap-anywhere whitespace-pre-line">{specialist.approach}</p>
        </>
      )}
      <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line pt-5 *:last:col-span-full">
        {facts
          .filter(([, value]) => Boolean(value))
          .map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-sm text-quiet">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
    </Part>
  );
}

function Meetings({ specialist: { sessionTypes, towns, location } }: { specialist: SpecialistPage }) {
  const inPerson =
    towns.length > 0
      ? m.therapists_type_in_person_towns({ towns: towns.join('; ') })
      : m.therapists_type_in_person_at({ location });
  const texts = {
    online: m.therapists_type_online(),
    phone: m.therapists_type_phone(),
    'in-person': inPerson,
  };
  return <Lines lines={sessionTypes.map((type) => texts[type])} />;
}

function Service({
  service,
  specialist,
}: {
  service: Loaded['offered'][number];
  specialist: SpecialistPage;
}) {
  const { openBooking } = useBooking();
  const { id, title, durationMinutes, priceCents } = service;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
      <div className="min-w-0">
        <h3 className="text-lg">
          <Link to={`/service/${id}`} className="py-3 hover:text-primary hover:underline">
            {title}
          </Link>
        </h3>
        <p className="text-quiet">
          {m.site_price_note({ minutes: durationMinutes, price: priceText(priceCents) })}
        </p>
      </div>
      <Button
        about={m.site_for_service({ service: title })}
        variant="secondary"
        size="sm"
        onClick={() => openBooking({ providerId: specialist.id, serviceId: id })}
      >
        {m.site_book_session()}
      </Button>
    </li>
  );
}

function Credentials({ specialist: { kind, credentials } }: { specialist: SpecialistPage }) {
  const { siteName } = useSite();
  return (
    <Part title={m.therapists_credentials()}>
      <p className="font-semibold">{kindText(kind)}</p>
      {credentials.length === 0 ? (
        <p className="mt-1 text-quiet">{m.therapists_credentials_pending({ site: siteName })}</p>
      ) : (
        <>
          <ul className="mt-2 grid gap-2">
            {credentials.map(({ id, kind: form, issuer, region, validUntil }) => (
              <li key={id} className="flex gap-2.5">
                <Check aria-hidden className="mt-1 size-4.5 shrink-0 text-sage" />
                <span className="min-w-0 wrap-anywhere">
                  {form === 'licence'
                    ? m.therapists_credential_license({ issuer, region })
                    : m.therapists_credential_ordination({ issuer, region })}
                  {validUntil && (
                    <span className="block text-sm text-quiet">
                      {m.therapists_credential_until({
                        month: monthAndYear(validUntil),
                      })}
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-3 flex items-center gap-2 text-sm text-quiet">
            <BadgeCheck aria-hidden className="size-4.5 shrink-0" />
            {m.therapists_credentials_checked({ site: siteName })}
          </p>
        </>
      )}
    </Part>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}

function Part({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-label={title} className="scroll-mt-20">
      <h2 className="mb-3 text-xl sm:text-2xl">{title}</h2>
      {children}
    </section>
  );
}
