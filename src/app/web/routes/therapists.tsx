import { data, Link } from 'react-router';
import { findInputOf, searchOf } from '#/features/specialist-search/ui/find-search.ts';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { Container } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { OwnZoneScript } from '../own-zone-script.tsx';
import { organization, pageMeta, siteHead } from '../page-meta.ts';
import { Finder } from '../specialists/finder.tsx';
import { nextStartsOf } from '../specialists/next-starts.ts';
import { loadServices } from '../service-titles.ts';
import type { Route } from './+types/therapists.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const page = context.get(pageRequest);
  const { api } = page;
  const [{ services }, choices, { flags }] = await Promise.all([
    loadServices({ context }),
    api.specialistSearch.choices(),
    api.settings.site(),
  ]);
  const search = searchOf(new URL(request.url).searchParams, {
    serviceIds: services.map(({ id }) => id),
    hasVideo: flags.includes('video_sessions'),
  });
  // Keeps the page and its filters.
  const found = await api.specialistSearch.find(findInputOf(search)).catch((error: unknown) => {
    page.report(error);
    return null;
  });
  const ids = found?.specialists.map(({ id }) => id) ?? [];
  const starts = await nextStartsOf(page, ids, search);
  const shown = { services, choices, found, starts };
  return data(shown, { status: found ? 200 : 503 });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.therapists_meta_title({ site: head.site.siteName }),
    description: m.therapists_meta_description(),
    path: '/therapists',
    structured: loaderData?.found
      ? [
          {
            '@type': 'ItemList',
            name: m.therapists_heading(),
            itemListElement: loaderData.found.specialists.map((specialist, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              item: {
                '@type': 'Person',
                name: specialist.name,
                jobTitle: specialist.title,
                description: specialist.bio,
                knowsAbout: specialist.specialties,
                knowsLanguage: specialist.languages,
                url: `${head.appUrl}/therapists/${specialist.slug}`,
                worksFor: organization(head),
              },
            })),
          },
        ]
      : [],
  });
}

export default function Therapists({ loaderData }: Route.ComponentProps) {
  return (
    <Container className="py-3 sm:py-6">
      <Link to="/" className="inline-flex min-h-11 items-center text-primary hover:underline">
        ← {m.web_back_home()}
      </Link>
      <div className="mb-4 sm:mb-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h1 className="text-2xl sm:text-3xl">{m.therapists_heading()}</h1>
          <ButtonLink to="/therapists/match" variant="secondary" size="sm">
            {m.match_heading()}
          </ButtonLink>
        </div>
        <p className="mt-1.5 text-quiet">{m.therapists_text()}</p>
      </div>
      <Finder {...loaderData} />
      <OwnZoneScript />
    </Container>
  );
}
