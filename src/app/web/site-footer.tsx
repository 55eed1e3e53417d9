import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { Container } from '#/web/components/page.tsx';
import { Brand } from './brand.tsx';

const since = 2024;
const link = 'inline-flex min-h-11 min-w-11 items-center hover:underline sm:pointer-fine:min-h-9';

const support = [
  { to: '/resources', label: m.site_nav_resources },
  { to: '/devotional', label: m.site_nav_devotional },
  { to: '/about', label: m.site_nav_about },
  { to: '/faq', label: m.site_nav_faq },
  { to: '/contact', label: m.site_nav_contact },
  { to: '/join', label: m.join_footer },
];

export function SiteFooter({ services }: { services: readonly { id: string; title: string }[] }) {
  const site = useSite();
  const viewer = useViewer();
  return (
    <footer className="border-t border-line bg-sunken pt-12 pb-10">
      <Container>
        <div className="grid gap-8 xs:grid-cols-2 lg:grid-cols-[1.4fr_1fr_1fr_1.3fr]">
          <div className="max-sm:col-span-full">
            <Brand site={site.siteName} />
            <p className="mt-3 max-w-xs text-quiet">{m.site_footer_about()}</p>
          </div>
          <Column title={m.site_footer_services()}>
            {services.map(({ id, title }) => (
              <li key={id}>
                <Link to={`/service/${id}`} className={link}>
                  {title}
                </Link>
              </li>
            ))}
            <li>
              <Link to="/services" className={link}>
                {m.site_footer_all_services()}
              </Link>
            </li>
          </Column>
          <Column title={m.site_footer_support()}>
            <li>
              <Link to="/therapists" className={link}>
                {m.site_footer_specialists()}
              </Link>
            </li>
            <li>
              <Link to="/#how-it-works" className={link}>
                {m.site_nav_how()}
              </Link>
            </li>
            {support.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className={link}>
                  {label()}
                </Link>
              </li>
            ))}
            <li>
              <HelpNow className="-mx-2 text-base" />
            </li>
          </Column>
          <section aria-labelledby="footer-account" className="max-sm:col-span-full">
            <h2 id="footer-account" className="text-lg">
              {m.site_footer_account()}
            </h2>
            {viewer ? (
              <ButtonLink to="/home" variant="secondary" className="mt-3">
                {m.site_footer_home()}
              </ButtonLink>
            ) : (
              <>
                <p className="mt-1.5 text-quiet">{m.site_footer_account_text()}</p>
                <div className="mt-4 flex flex-wrap gap-2">
                  <ButtonLink to="/?auth=1&mode=sign-up">{m.site_footer_sign_up()}</ButtonLink>
                  <ButtonLink to="/?auth=1" variant="secondary">
                    {m.site_footer_log_in()}
                  </ButtonLink>
                </div>
              </>
            )}
          </section>
        </div>
        <div className="mt-10 flex flex-wrap justify-between gap-x-8 gap-y-2 border-t border-control/40 pt-6 text-sm text-quiet">
          {/* Cached pages may show last year. */}
          <p suppressHydrationWarning>{m.site_footer_copyright({ years: years(), site: site.siteName })}</p>
          <p>{m.site_footer_scripture()}</p>
        </div>
      </Container>
    </footer>
  );
}

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title}>
      <h2 className="text-lg">{title}</h2>
      <ul className="mt-1.5">{children}</ul>
    </nav>
  );
}

function years(): string {
  const year = new Date().getUTCFullYear();
  return year > since ? `${since}–${year}` : `${since}`;
}
