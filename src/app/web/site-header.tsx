import { Menu, MessageCircle, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, NavLink, useNavigate } from 'react-router';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { useUnread } from '#/features/messaging/ui/unread.ts';
import { isProvider, type Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { Container } from '#/web/components/page.tsx';
import { Brand } from './brand.tsx';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';
import { UnreadCorner, unreadLinkText } from '#/features/messaging/ui/unread-link.tsx';

/** Scrolls to landing page sections, or links to routes. */
export type SiteTabs = 'landing' | 'pages';

const menuId = 'site-menu';
const tab = 'inline-flex min-h-11 items-center rounded-control px-3 font-semibold hover:bg-sunken';
const row = 'flex min-h-12 items-center rounded-control px-3 text-lg font-semibold hover:bg-sunken';
const current = 'aria-[current=page]:text-primary aria-[current=page]:bg-primary-soft';

export function SiteHeader({ tabs }: { tabs: SiteTabs }) {
  const { site, viewer, signOut } = useSession();
  const navigate = useNavigate();
  const landing = tabs === 'landing';
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  // The menu may have been opened before hydration.
  useEffect(() => {
    if (menu.current?.matches(':popover-open')) queueMicrotask(() => setOpen(true));
  }, []);
  const links = landing
    ? sections(viewer?.role === 'super_admin')
    : pages(viewer?.role, site.flags.includes('wellness_tracking'));
  const messages = useHasMessages();
  const unread = useUnread();
  const closeMenu = () => menu.current?.hidePopover();
  const leave = async () => {
    if (await signOut()) await navigate(landing ? '/home' : '/');
  };
  const leaveText = landing ? m.site_log_out() : m.site_sign_out();

  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper">
      <Container className="flex h-16 items-center gap-1 sm:gap-2">
        <Brand site={site.siteName} />
        <nav aria-label={m.site_nav()} className="ml-auto hidden lg:block">
          <ul className="flex items-center">
            {links
              .filter(({ menuOnly }) => !menuOnly)
              .map(({ to, label }) => (
                <li key={to}>
                  <SiteLink to={to} className={tab}>
                    {label}
                  </SiteLink>
                </li>
              ))}
            {viewer && landing && (
              <li>
                <Link to="/home" className={tab}>
                  {m.site_nav_home()}
                </Link>
              </li>
            )}
          </ul>
        </nav>
        <HelpNow brief className="max-lg:ml-auto max-sm:[&>svg]:hidden" />
        <div className="hidden items-center gap-2 lg:flex">
          {messages && (
            <NavLink
              to="/messages"
              aria-label={unreadLinkText(unread)}
              className={`grid size-11 shrink-0 place-items-center rounded-control hover:bg-sunken ${current}`}
            >
              <span className="relative">
                <MessageCircle className="size-5.5" />
                <UnreadCorner count={unread} />
              </span>
            </NavLink>
          )}
          {viewer ? (
            <Button variant="secondary" size="sm" onClick={() => void leave()}>
              {leaveText}
            </Button>
          ) : (
            <>
              <ButtonLink to="/?auth=1" variant="quiet" size="sm">
                {m.site_log_in()}
              </ButtonLink>
              <ButtonLink to="/?auth=1&mode=sign-up" size="sm">
                {m.site_get_started()}
              </ButtonLink>
            </>
          )}
        </div>
        {/* The native popover opens without script, and closes on Escape or an outside click. */}
        <button
          type="button"
          popoverTarget={menuId}
          aria-label={open ? m.site_menu_close() : m.site_menu_open()}
          className="-mr-2 grid size-11 shrink-0 place-items-center rounded-control hover:bg-sunken lg:hidden"
        >
          {open ? <X /> : <Menu />}
        </button>
        <div
          ref={menu}
          id={menuId}
          popover="auto"
          onToggle={(event) => setOpen(event.newState === 'open')}
          className="fixed inset-x-0 top-16 bottom-auto m-0 max-h-[calc(100dvh-4rem)] w-full overflow-y-auto border-b border-line bg-paper px-3 pt-2 pb-6 text-ink shadow-soft open:animate-fade lg:hidden"
        >
          <MenuLinks
            links={links}
            home={Boolean(viewer) && landing}
            unread={messages ? unread : null}
            onFollow={closeMenu}
          />
          <div className="mt-4 grid gap-2 px-3">
            {viewer ? (
              <Button variant="secondary" onClick={() => void leave()}>
                {leaveText}
              </Button>
            ) : (
              <>
                <ButtonLink to="/?auth=1&mode=sign-up">{m.site_get_started()}</ButtonLink>
                <ButtonLink to="/?auth=1" variant="secondary">
                  {m.site_log_in()}
                </ButtonLink>
              </>
            )}
          </div>
        </div>
      </Container>
    </header>
  );
}

function MenuLinks({
  links,
  home,
  unread,
  onFollow,
}: {
  links: readonly Tab[];
  /** Whether to link to the person's own page. */
  home: boolean;
  /** Null for people without messages. */
  unread: number | null;
  onFollow: () => void;
}) {
  return (
    <nav aria-label={m.site_nav()}>
      <ul>
        {links.map(({ to, label }) => (
          <li key={to}>
            <SiteLink to={to} className={row} onClick={onFollow}>
              {label}
            </SiteLink>
          </li>
        ))}
        {home && (
          <li>
            <Link to="/home" className={row}>
              {m.site_nav_home()}
            </Link>
          </li>
        )}
        {unread !== null && (
          <li>
            <NavLink
              to="/messages"
              aria-label={unreadLinkText(unread)}
              className={`${row} ${current}`}
              onClick={onFollow}
            >
              <span className="relative pr-5">
                {m.messaging_title()}
                <UnreadCorner count={unread} />
              </span>
            </NavLink>
          </li>
        )}
      </ul>
    </nav>
  );
}

function SiteLink({
  to,
  ...rest
}: {
  to: string;
  className: string;
  onClick?: () => void;
  children: string;
}) {
  if (to.startsWith('#')) return <Link to={to} {...rest} />;
  return <NavLink to={to} end={to === '/'} {...rest} className={`${rest.className} ${current}`} />;
}

type Tab = { to: string; label: string; menuOnly?: true };

/** Visible to everyone; the page enforces access. */
function sections(administrator: boolean): Tab[] {
  return [
    { to: '#services', label: m.site_nav_services() },
    { to: '#specialists', label: m.site_nav_specialists() },
    { to: '#testimonials', label: m.site_nav_testimonials() },
    { to: '#how-it-works', label: m.site_nav_how(), menuOnly: true },
    { to: '/admin/settings', label: administrator ? m.admin_title() : m.site_nav_admin() },
  ];
}

/** Guests who open Profile are asked to sign in; doctors and pastors see their work pages. */
function pages(role: Role | null | undefined, hasGrowth: boolean): Tab[] {
  const about: Tab[] = [
    { to: '/about', label: m.site_nav_about(), menuOnly: true },
    { to: '/faq', label: m.site_nav_faq(), menuOnly: true },
    { to: '/contact', label: m.site_nav_contact(), menuOnly: true },
  ];
  const home: Tab = { to: role === undefined ? '/' : '/home', label: m.site_nav_home() };
  const resources: Tab = { to: '/resources', label: m.site_nav_resources() };
  const profile: Tab = { to: '/profile', label: m.site_nav_profile() };
  if (isProvider(role)) {
    return [
      home,
      { to: '/schedule', label: m.site_nav_schedule() },
      { to: '/clients', label: m.site_nav_clients() },
      { to: '/availability', label: m.site_nav_availability() },
      resources,
      profile,
      { to: '/practice', label: m.site_nav_practice(), menuOnly: true },
      { to: '/insights', label: m.site_nav_insights(), menuOnly: true },
      { to: '/therapists', label: m.site_nav_therapists(), menuOnly: true },
      ...about,
    ];
  }
  return [
    home,
    { to: '/services', label: m.site_nav_services() },
    { to: '/therapists', label: m.site_nav_therapists() },
    resources,
    ...(role === 'client' && hasGrowth ? [{ to: '/growth', label: m.growth_title() }] : []),
    profile,
    ...about,
  ];
}
