import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import { WhenHydrated } from '../when-hydrated.tsx';
import { pageMeta, siteHead } from '../page-meta.ts';
import { Match } from '../specialists/match.tsx';
import { loadServices } from '../service-titles.ts';
import type { Route } from './+types/match.ts';

export const loader = loadServices;

export function meta({ matches }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.match_meta_title({ site: head.site.siteName }),
    description: m.match_meta_description(),
    path: '/therapists/match',
  });
}

export default function MatchPage({ loaderData: { services } }: Route.ComponentProps) {
  return (
    <Container className="py-6 sm:py-10">
      <Link to="/therapists" className="inline-flex min-h-11 items-center text-primary hover:underline">
        ← {m.match_back_to_list()}
      </Link>
      <SectionHeading as="h1" title={m.match_heading()} className="mt-2 mb-6">
        {m.match_intro()}
      </SectionHeading>
      <noscript>
        <Notice className="mb-6">{m.match_without_script()}</Notice>
      </noscript>
      <DataProvider>
        <WhenHydrated>
          <Match services={services} />
        </WhenHydrated>
      </DataProvider>
    </Container>
  );
}
