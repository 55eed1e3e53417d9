import { useEffect } from 'react';
import { data, useLocation } from 'react-router';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { Container } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { unlisted } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import { serviceTitles } from '../service-titles.ts';
import type { Route } from './+types/not-found.ts';

export async function loader({ context }: Route.LoaderArgs) {
  return data({ services: await serviceTitles(context.get(pageRequest)) }, { status: 404 });
}

export const meta = unlisted(m.error_not_found_title);

export default function NotFound({ loaderData: { services } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  useEffect(() => {
    // oxlint-disable-next-line no-console -- the administrator spec asks for it, section 2
    console.warn(`404: ${pathname}`);
  }, [pathname]);
  return (
    <SiteFrame services={services}>
      <Container className="py-12 sm:py-16">
        <EmptyState
          as="h1"
          illustration={<PathIllustration />}
          title={m.error_not_found_title()}
          action={<ButtonLink to="/">{m.error_return_home()}</ButtonLink>}
        >
          {m.error_not_found_text()}
        </EmptyState>
      </Container>
    </SiteFrame>
  );
}
