import { Link, useLocation } from 'react-router';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { isShowing, roomGroups } from './admin-rooms.ts';
import { useAttention } from './attention.ts';

/** All admin pages, with counts of pending items. */
export function AdminNav({ onFollow }: { onFollow?: () => void }) {
  const { demo } = useSite();
  const location = useLocation();
  const { data: attention = [] } = useAttention();
  return (
    <nav aria-label={m.admin_menu()} className="grid gap-4 lg:gap-2.5 low:gap-1">
      {roomGroups.map(({ id, name, rooms }) => (
        <div key={id} className="low:not-first:border-t low:not-first:border-line low:not-first:pt-1">
          {/* Its first room has the same name. */}
          <p hidden={id === 'overview'} className="px-3 pb-0.5 text-sm text-quiet low:hidden">
            {name()}
          </p>
          <ul aria-label={name()}>
            {rooms
              .filter(({ demoOnly }) => demo || !demoOnly)
              .map(({ to, Icon, name: title, concerns = [], below }) => {
                const waiting = attention
                  .filter(({ concern }) => concerns.includes(concern))
                  .reduce((sum, { count }) => sum + count, 0);
                return (
                  <li key={to}>
                    <Link
                      to={to}
                      aria-current={
                        isShowing(to, location)
                          ? 'page'
                          : below !== undefined && location.pathname.startsWith(below)
                      }
                      onClick={onFollow}
                      className="flex min-h-11 items-center gap-2.5 rounded-control px-3 font-semibold hover:bg-sunken focus-visible:-outline-offset-3 aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary aria-[current=true]:bg-primary-soft aria-[current=true]:text-primary lg:min-h-8 low:min-h-6.5 lg:pointer-coarse:min-h-11"
                    >
                      <Icon aria-hidden className="size-4.5 shrink-0 text-quiet" />
                      <span className="min-w-0 flex-1">{title()}</span>
                      {waiting > 0 && (
                        <Badge tone="primary" className="tabular-nums">
                          {waiting}
                          <VisuallyHidden> {m.admin_menu_waiting()}</VisuallyHidden>
                        </Badge>
                      )}
                    </Link>
                  </li>
                );
              })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
