import { useQuery } from '@tanstack/react-query';
import {
  ArrowLeft,
  ChartColumn,
  ChevronRight,
  HeartPulse,
  LogOut,
  SlidersHorizontal,
  UserPlus,
} from 'lucide-react';
import { Link } from 'react-router';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { useSession, useSite } from '#/features/accounts/ui/session.tsx';
import { percentText } from '#/features/analytics/ui/figure-texts.ts';
import { healthLine } from '#/features/analytics/ui/health-texts.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Container } from '#/web/components/page.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Rating } from '#/web/components/stars.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { DashboardHeading } from '../dashboard-frame.tsx';
import type { Figure } from '../dashboards/figures.tsx';
import { live } from '../dashboards/live.ts';
import { QuickAction } from '../dashboards/quick-action.tsx';
import { AdminFrame } from './admin-frame.tsx';
import { directoryInput } from './administrator-data.ts';
import { concerns, useAttention } from './attention.ts';
import { OverviewFigures } from './overview-figures.tsx';
import { PendingApplications } from './pending-applications.tsx';

export function AdministratorDashboard() {
  const zone = useOwnZone();
  const health = useQuery({ ...api.analytics.health.queryOptions(), ...live });
  const specialists = useQuery({ ...api.providers.list.queryOptions({ input: directoryInput }), ...live });
  const healthFigure: Figure = {
    label: m.health_title(),
    // A failed health check counts as unhealthy.
    value: health.isError ? m.health_unknown() : health.data && percentText(health.data.percent),
    note: health.isError ? m.health_failed() : health.data && healthLine(health.data, zone),
    icon: <HeartPulse />,
    hue: 'rose',
  };

  return (
    <AdminFrame header={<Header />}>
      <DashboardHeading title={m.home_admin_title()} />
      <NeedsYou />
      <div className="mt-10">
        <OverviewFigures
          order={['pendingApprovals', 'activeProviders', 'totalUsers']}
          last={() => healthFigure}
        />
      </div>
      <PendingApplications />
      <div className="mt-10 grid items-start gap-x-8 gap-y-10 lg:grid-cols-[1fr_20rem]">
        <Section
          titleId="directory"
          title={m.home_admin_specialists()}
          titleClassName="mb-4 text-xl"
          className="min-w-0"
        >
          <Card className="p-2!">
            <Fetched
              query={specialists}
              failure={m.home_admin_load_failed()}
              skeleton={<Skeleton className="m-3 h-40" />}
            >
              {(people) =>
                people.length === 0 ? (
                  <EmptyState
                    illustration={<OliveBranchIllustration />}
                    title={m.home_admin_specialists_empty()}
                  />
                ) : (
                  <>
                    <ul className="divide-y divide-line">
                      {people.map(({ id, name, photoUrl, title, rating, reviewCount }) => (
                        <li key={id} className="flex items-center gap-4 px-3 py-3">
                          <Avatar id={id} name={name} src={photoUrl} size="sm" />
                          <div className="min-w-0 flex-1">
                            <p className="truncate font-semibold">
                              <PersonLink id={id} className="py-3">
                                {name}
                              </PersonLink>
                            </p>
                            <p className="truncate text-sm text-quiet">{title}</p>
                          </div>
                          {rating === null ? (
                            <span className="text-sm text-quiet">{m.home_no_reviews()}</span>
                          ) : (
                            <Rating rating={rating}>({reviewCount})</Rating>
                          )}
                        </li>
                      ))}
                    </ul>
                    <ButtonLink to="/therapists" variant="quiet" size="sm" className="mt-1">
                      {m.landing_specialists_all()}
                    </ButtonLink>
                  </>
                )
              }
            </Fetched>
          </Card>
        </Section>
        <Section title={m.home_admin_manage()} titleClassName="mb-4 text-xl">
          <ul className="grid gap-3">
            {tiles.map(({ to, icon, hue, title }) => (
              <li key={to}>
                <QuickAction to={to} icon={icon} hue={hue} title={title()} />
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </AdminFrame>
  );
}

function Header() {
  const { signOut } = useSession();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper">
      <Container className="flex h-16 max-w-none! items-center gap-2 max-xs:gap-0 max-xs:px-2! max-xs:*:px-1!">
        <ButtonLink to="/" variant="quiet" size="sm" className="-ml-3.5">
          <ArrowLeft />
          <span className="max-xs:sr-only">{m.web_back_home()}</span>
        </ButtonLink>
        <HelpNow brief className="ml-auto max-sm:[&>svg]:hidden" />
        <Button variant="secondary" size="sm" onClick={() => void signOut()}>
          <LogOut className="max-sm:hidden max-xs:block" />
          <span className="max-xs:sr-only">{m.home_admin_logout()}</span>
        </Button>
      </Container>
    </header>
  );
}

const tiles = [
  {
    to: '/admin/settings',
    icon: <SlidersHorizontal />,
    hue: 'sea',
    title: m.home_admin_settings_tile,
  },
  {
    to: '/admin/analytics',
    icon: <ChartColumn />,
    hue: 'leaf',
    title: m.home_admin_analytics_tile,
  },
  {
    to: '/admin/add-provider',
    icon: <UserPlus />,
    hue: 'wheat',
    title: m.home_admin_add_provider_tile,
  },
] as const;

/** Items that need a decision, most urgent first. */
function NeedsYou() {
  const attention = useAttention();
  const { demo, supportEmail } = useSite();
  // Reserved: no mail arrives there (RFC 2606).
  const unreachable = !demo && supportEmail.endsWith('.example');
  return (
    <Section title={m.attention_title()} titleClassName="mb-4 text-xl" className="mt-8">
      <Card className="p-2!">
        <Fetched
          query={attention}
          failure={m.attention_failed()}
          skeleton={<Skeleton className="m-3 h-40" />}
        >
          {(waiting) =>
            waiting.length === 0 && !unreachable ? (
              <p className="px-3 py-2.5 text-quiet">{m.attention_empty()}</p>
            ) : (
              <ul className="divide-y divide-line lg:grid lg:grid-cols-2 lg:gap-x-4 lg:divide-none">
                {unreachable && (
                  <Concern to="/admin/settings?tab=settings" text={m.attention_support_email()} />
                )}
                {waiting.map(({ concern, count }) => (
                  <Concern key={concern} to={concerns[concern].to} text={concerns[concern].text({ count })} />
                ))}
              </ul>
            )
          }
        </Fetched>
      </Card>
    </Section>
  );
}

function Concern({ to, text }: { to: string; text: string }) {
  return (
    <li>
      <Link to={to} className="flex min-h-12 items-center gap-3 rounded-control px-3 py-2 hover:bg-sunken">
        <span className="min-w-0 flex-1 font-semibold">{text}</span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-quiet" />
      </Link>
    </li>
  );
}
