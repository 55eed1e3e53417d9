import { ChevronDown } from 'lucide-react';
import { Link } from 'react-router';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { Container } from '#/web/components/page.tsx';
import { Brand } from './brand.tsx';

const since = 2024;

const support = [
  { to: '/therapists', label: m.therapists_heading },
  { to: '/#how-it-works', label: m.site_nav_how },
  { to: '/resources', label: m.site_nav_resources },
  { to: '/devotional', label: m.home_devotional },
  { to: '/about', label: m.site_nav_about },
  { to: '/faq', label: m.site_nav_faq },
  { to: '/contact', label: m.site_nav_contact },
  { to: '/join', label: m.join_heading },
];

export function SiteFooter({ services }: { services: readonly { id: string; title: string }[] }) {
  const site = useSite();
  const viewer = useViewer();
  return (
    <footer className="border-t border-line bg-sunken py-5 sm:pt-12 sm:pb-10">
      <Container>
        <div className="grid grid-cols-1 sm:grid-cols-2 sm:gap-8 lg:grid-cols-[1.4fr_1fr_1fr_1.3fr]">
          <div className="flex flex-wrap items-center justify-between sm:flex-col sm:items-start sm:justify-start">
            <Brand site={site.siteName} />
            <p className="max-w-xs text-quiet max-sm:order-1 max-sm:pb-3 sm:mt-3">{m.site_footer_about()}</p>
            <HelpNow className="-mr-2 sm:mt-1 sm:-ml-2" />
          </div>
          <Column
            title={m.site_footer_services()}
            links={[
              ...services.map(({ id, title }) => ({ to: `/service/${id}`, label: () => title })),
              { to: '/services', label: m.services_back },
            ]}
          />
          <Column title={m.site_footer_support()} links={support} />
          <section
            aria-labelledby="footer-account"
            className="max-sm:border-t max-sm:border-line max-sm:pt-3"
          >
            <h2 id="footer-account" className="text-lg max-sm:sr-only">
              {m.site_footer_account()}
            </h2>
            {viewer ? (
              <ButtonLink to="/home" variant="secondary" className="sm:mt-3">
                {m.site_footer_home()}
              </ButtonLink>
            ) : (
              <>
                <p className="text-balance text-quiet sm:mt-1.5">{m.site_footer_account_text()}</p>
                <div className="mt-2 flex flex-wrap gap-2 *:flex-auto sm:mt-4 sm:*:flex-none">
                  <ButtonLink to="/?auth=1&mode=sign-up">{m.site_footer_sign_up()}</ButtonLink>
                  <ButtonLink to="/?auth=1" variant="secondary">
                    {m.site_footer_log_in()}
                  </ButtonLink>
                </div>
              </>
            )}
          </section>
        </div>
        <div className="mt-5 flex flex-wrap justify-between gap-x-8 gap-y-1 text-sm text-quiet sm:mt-10 sm:border-t sm:border-control/40 sm:pt-6">
          {/* Cached pages may show last year. */}
          <p suppressHydrationWarning>{m.site_footer_copyright({ years: years(), site: site.siteName })}</p>
          <p>{m.site_footer_scripture()}</p>
        </div>
      </Container>
    </footer>
  );
}

/** Phones fold it. */
function Column({ title, links }: { title: string; links: readonly { to: string; label: () => string }[] }) {
  return (
    <nav aria-label={title} className="max-sm:border-t max-sm:border-line">
      <h2 className="text-lg max-sm:hidden">{title}</h2>
      <details className="group sm:[&::details-content]:[block-size:auto] sm:[&::details-content]:[content-visibility:visible]">
        {/* Older browsers can't show what is folded, so they keep it. */}
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between font-semibold sm:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden">
          {title}
          <ChevronDown
            aria-hidden
            className="size-5 text-quiet transition-transform duration-150 group-open:rotate-180"
          />
        </summary>
        <ul className="max-sm:pb-2 sm:mt-1.5">
          {links.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-11 min-w-11 items-center hover:underline sm:pointer-fine:min-h-9"
              >
                {label()}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function years(): string {
  const year = new Date().getUTCFullYear();
  return year > since ? `${since}–${year}` : `${since}`;
}
