import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { DevotionalScreen } from '../devotional/devotional-screen.tsx';
import { organization, pageMeta, siteHead } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import type { Route } from './+types/devotional.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const [viewer, list] = await Promise.all([api.accounts.me(), api.catalogue.services()]);
  const timeZone = viewer?.timeZone ?? new URL(request.url).searchParams.get('zone') ?? undefined;
  const [devotional, profile] = await Promise.all([
    // A zone that the server doesn't know is a guess of the browser's: then the site's day is shown.
    api.growth.devotionals.today({ timeZone }).catch(() => api.growth.devotionals.today({})),
    viewer && api.accounts.profile(),
  ]);
  return {
    services: list.map(({ id, title }) => ({ id, title })),
    devotional,
    subscribed: profile?.dailyDevotionals ?? false,
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.devotional_today_meta_title({ site: head.site.siteName }),
    description: m.devotional_today_meta_description(),
    path: '/devotional',
    structured: loaderData
      ? [
          {
            '@type': 'Article',
            headline: loaderData.devotional.title,
            about: loaderData.devotional.reference,
            url: `${head.appUrl}/devotional/${loaderData.devotional.day}`,
            isAccessibleForFree: true,
            publisher: organization(head),
          },
        ]
      : [],
  });
}

/** The devotional of the day that it is where the visitor is. */
export default function TodaysDevotional({
  loaderData: { services, devotional, subscribed },
}: Route.ComponentProps) {
  const zoneKnown = Boolean(useViewer()?.timeZone);
  const navigate = useNavigate();
  const { day } = devotional;
  // The server shows a guest the site's day; around midnight, or far away, it is another one here.
  useEffect(() => {
    if (zoneKnown || window.location.search.includes('zone=')) return;
    const now = new Date();
    const here = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    if (here === day) return;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    void navigate(`/devotional?zone=${encodeURIComponent(timeZone)}`, {
      replace: true,
      preventScrollReset: true,
    });
  }, [zoneKnown, day, navigate]);
  return (
    <SiteFrame services={services}>
      <DevotionalScreen devotional={devotional} subscribed={subscribed} isToday />
    </SiteFrame>
  );
}
