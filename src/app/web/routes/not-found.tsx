import { useEffect } from 'react';
import { data, useLocation } from 'react-router';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { Container } from '#/web/components/page.tsx';
import { unlisted } from '../page-meta.ts';

export const loader = () => data(null, { status: 404 });

export const meta = unlisted(m.error_not_found_title);

export default function NotFound() {
  const { pathname } = useLocation();
  useEffect(() => {
    // oxlint-disable-next-line no-console -- the administrator spec asks for it, section 2
    console.warn(`404: ${pathname}`);
  }, [pathname]);
  return (
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
  );
}
