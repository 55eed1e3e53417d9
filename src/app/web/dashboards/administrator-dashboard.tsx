import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, HeartPulse, LogOut, Stethoscope, Users } from 'lucide-react';
import { useSession } from '#/features/accounts/ui/session.tsx';
import type { analyticsContract } from '#/features/analytics/contract.ts';
import type { providersContract } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Container } from '#/web/components/page.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Rating } from '#/web/components/stars.tsx';
import { AdministratorRooms } from './administrator-rooms.tsx';
import { DashboardFrame, DashboardHeading } from './dashboard-frame.tsx';
import { Figures } from './figures.tsx';
import { live } from './live.ts';

/** How many of the directory are shown here. */
const listed = 6;

const wholeNumber = new Intl.NumberFormat('en-US');

type Api = { analytics: typeof analyticsContract; providers: typeof providersContract };

/** What a super_admin finds on `/home`: how the place is doing, and whom people can book. */
export function AdministratorDashboard() {
  const api = useApi<Api>();
  const overview = useQuery({ ...api.analytics.overview.queryOptions(), ...live });
  const health = useQuery({ queryKey: ['readiness'], queryFn: readiness, ...live });
  const specialists = useQuery({ ...api.providers.list.queryOptions({ input: { limit: listed } }), ...live });

  return (
    <DashboardFrame header={<Header />}>
      <DashboardHeading title={m.home_admin_title()}>{m.home_admin_intro()}</DashboardHeading>
      <div className="mt-8">
        <Figures
          figures={[
            {
              label: m.home_admin_active_providers(),
              value: overview.data?.activeProviders ?? (overview.isError ? m.home_rating_none() : undefined),
              icon: <Stethoscope />,
              hue: 'leaf',
            },
            {
              label: m.home_admin_total_users(),
              value:
                (overview.data && wholeNumber.format(overview.data.totalUsers)) ??
                (overview.isError ? m.home_rating_none() : undefined),
              icon: <Users />,
              hue: 'sea',
            },
            { label: m.home_admin_system_health(), ...healthText(health), icon: <HeartPulse />, hue: 'rose' },
          ]}
        />
      </div>
      <div className="mt-10 grid items-start gap-x-8 gap-y-10 lg:grid-cols-[1fr_20rem]">
        <section aria-labelledby="directory" className="min-w-0">
          <h2 id="directory" className="text-xl">
            {m.home_admin_specialists()}
          </h2>
          <p className="mt-0.5 mb-4 text-quiet">{m.home_admin_specialists_text()}</p>
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
                            <p className="truncate font-semibold">{name}</p>
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
                      {m.home_admin_view_specialists()}
                    </ButtonLink>
                  </>
                )
              }
            </Fetched>
          </Card>
        </section>
        <section aria-labelledby="see-also">
          <h2 id="see-also" className="mb-4 text-xl">
            {m.home_admin_see_also()}
          </h2>
          <AdministratorRooms />
        </section>
      </div>
    </DashboardFrame>
  );
}

function Header() {
  const { signOut } = useSession();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper">
      <Container className="flex h-16 items-center gap-2">
        <ButtonLink to="/" variant="quiet" size="sm" className="-ml-3.5">
          <ArrowLeft />
          {m.home_admin_back()}
        </ButtonLink>
        <HelpNow className="ml-auto max-sm:[&>svg]:hidden" />
        <Button variant="secondary" size="sm" onClick={() => void signOut()}>
          <LogOut className="max-sm:hidden" />
          {m.home_admin_logout()}
        </Button>
      </Container>
    </header>
  );
}

/** What `/readyz` answers: each part of the server, and whether it works. */
type Readiness = Readonly<Record<string, boolean>>;

async function readiness(): Promise<Readiness> {
  const response = await fetch('/readyz', { cache: 'no-store' });
  return (await response.json()) as Readiness;
}

const parts: Readonly<Record<string, () => string>> = {
  database: m.home_admin_part_database,
  migrations: m.home_admin_part_migrations,
  files: m.home_admin_part_files,
  accepting: m.home_admin_part_accepting,
};

function healthText({ data, isError }: { data: Readiness | undefined; isError: boolean }): {
  value?: string;
  note?: string;
} {
  if (isError) return { value: m.home_admin_unreachable() };
  if (!data) return {};
  const broken = Object.keys(data).filter((part) => !data[part]);
  if (broken.length === 0) return { value: m.home_admin_healthy(), note: m.home_admin_healthy_note() };
  const names = broken.map((part) => parts[part]?.() ?? part);
  return { value: m.home_admin_unwell(), note: m.home_admin_unwell_note({ parts: names.join(', ') }) };
}
