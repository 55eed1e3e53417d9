import { ChartColumn, HandHeart, PenLine, Star, Sunrise, UserRoundPen, UsersRound } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Link } from 'react-router';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';

export function ProviderTools({ viewer: { role } }: { viewer: Viewer }) {
  const id = useId();
  const { flags } = useSite();
  return (
    <nav aria-labelledby={id}>
      <h2 id={id} className="mb-3 text-xl">
        {m.home_rooms()}
      </h2>
      <ul className="grid gap-2 max-sm:*:odd:last:col-span-full xs:grid-cols-2 sm:grid-cols-3 lg:grid-cols-2 lg:gap-x-0 lg:gap-y-1">
        <PermissionGate role={role} capability="view_own_clients" fallback={null}>
          <Tool to="/clients" icon={<UsersRound />} title={m.care_clients_title()} />
        </PermissionGate>
        <PermissionGate role={role} capability="view_own_analytics" fallback={null}>
          <Tool to="/insights" icon={<ChartColumn />} title={m.analytics_own_title()} />
          <Tool to="/reviews" icon={<Star />} title={m.reviews_own_title()} />
        </PermissionGate>
        <PermissionGate role={role} capability="manage_own_profile" fallback={null}>
          <Tool to="/practice" icon={<UserRoundPen />} title={m.site_nav_practice()} />
        </PermissionGate>
        {flags.includes('wellness_tracking') && (
          <Tool to="/prayers" icon={<HandHeart />} title={m.growth_prayers_title()} />
        )}
        <PermissionGate role={role} capability="create_content" fallback={null}>
          <Tool to="/author" icon={<PenLine />} title={m.home_author()} />
        </PermissionGate>
        <Tool to="/devotional" icon={<Sunrise />} title={m.home_devotional()} />
      </ul>
    </nav>
  );
}

function Tool({ to, icon, title }: { to: string; icon: ReactNode; title: string }) {
  return (
    <li>
      <Link
        to={to}
        className="flex h-full min-h-11 items-center gap-2 rounded-control px-2 py-1 text-sm font-semibold hover:bg-sunken max-lg:border max-lg:border-line max-lg:bg-card [&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-primary"
      >
        {icon}
        {title}
      </Link>
    </li>
  );
}
