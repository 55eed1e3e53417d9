import { Link } from 'react-router';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { useBooking } from '#/features/booking/ui/booking-launcher.tsx';
import { NextFreeTime } from '#/features/booking/ui/next-free-time.tsx';
import { SpecialistProfile } from '#/features/providers/ui/specialist-profile.tsx';
import { SpecialistReviews } from '#/features/reviews/ui/specialist-reviews.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Container, SectionHeading, VisuallyHidden } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { organization, pageMeta, siteHead } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import type { Route } from './+types/therapists.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const [services, specialists] = await Promise.all([
    api.catalogue.services(),
    api.providers.list({ limit: 100 }),
  ]);
  return { services: services.map(({ id, title }) => ({ id, title })), specialists };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.therapists_meta_title({ site: head.site.siteName }),
    description: m.therapists_meta_description(),
    path: '/therapists',
    structured: loaderData
      ? [
          {
            '@type': 'ItemList',
            name: m.therapists_heading(),
            itemListElement: loaderData.specialists.map((specialist, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              item: {
                '@type': 'Person',
                name: specialist.name,
                jobTitle: specialist.title,
                description: specialist.bio,
                knowsAbout: specialist.specialties,
                knowsLanguage: specialist.languages,
                url: `${head.appUrl}/therapists#${specialist.id}`,
                worksFor: organization(head),
              },
            })),
          },
        ]
      : [],
  });
}

export default function Therapists({ loaderData: { services, specialists } }: Route.ComponentProps) {
  const { openBooking } = useBooking();
  const { defaultSessionDuration } = useSite();
  return (
    <SiteFrame services={services}>
      <Container className="py-6 sm:py-10">
        <Link to="/" className="inline-flex min-h-11 items-center text-primary hover:underline">
          ← {m.therapists_back()}
        </Link>
        <SectionHeading as="h1" title={m.therapists_heading()} className="mt-2">
          {m.therapists_text()}
        </SectionHeading>
        {specialists.length === 0 && (
          <EmptyState
            as="h2"
            illustration={<TableIllustration />}
            title={m.landing_specialists_empty_title()}
            className="mt-6"
          >
            {m.landing_specialists_empty_text()}
          </EmptyState>
        )}
        <div className="mt-8 grid gap-6">
          {specialists.map((specialist) => (
            <SpecialistProfile
              key={specialist.id}
              specialist={specialist}
              availability={
                <DataProvider>
                  <NextFreeTime providerId={specialist.id} durationMinutes={defaultSessionDuration} />
                </DataProvider>
              }
              reviews={
                specialist.reviewCount > 0 && (
                  <SpecialistReviews providerId={specialist.id} name={specialist.name} />
                )
              }
              actions={
                <Button onClick={() => openBooking({ providerId: specialist.id })}>
                  <span>
                    {m.site_book_session()}
                    <VisuallyHidden> {m.site_with_specialist({ name: specialist.name })}</VisuallyHidden>
                  </span>
                </Button>
              }
            />
          ))}
        </div>
      </Container>
    </SiteFrame>
  );
}
