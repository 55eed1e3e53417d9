import { use, useLayoutEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { zoneToAsk } from '#/features/growth/devotionals/rules.ts';
import { m } from '#/texts/messages.js';
import { deviceZone } from '#/kernel/date-text.ts';
import { pageRequest } from '../contexts.ts';
import { DevotionalScreen } from '../devotional/devotional-screen.tsx';
import { PageHeadContext } from '../page-head.ts';
import { organization, pageMeta, siteHead } from '../page-meta.ts';
import type { Route } from './+types/devotional.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const viewer = await api.accounts.me();
  const timeZone = viewer?.timeZone ?? new URL(request.url).searchParams.get('zone') ?? undefined;
  const [devotional, profile] = await Promise.all([
    // Browsers may report a time zone unknown to the server; then use the site's date.
    api.growth.devotionals.today({ timeZone }).catch(() => api.growth.devotionals.today({})),
    viewer && api.accounts.profile(),
  ]);
  return { devotional, subscribed: profile?.dailyDevotionals ?? false };
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

/**
 * Guests all receive the same page with the site's date. If the visitor's date differs, hides the text until the right
 * devotional loads, so nobody sees it change.
 */
const hideOtherDay = `{
  const container = document.currentScript.parentElement;
  const now = new Date();
  const here = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
  if (here !== container.dataset.day) {
    container.dataset.elsewhere = '';
    setTimeout(() => delete container.dataset.elsewhere, 5000);
  }
}`;

export default function TodaysDevotional({ loaderData: { devotional, subscribed } }: Route.ComponentProps) {
  const zoneKnown = Boolean(useViewer()?.timeZone);
  const { nonce } = use(PageHeadContext);
  const asked = useSearchParams()[0].get('zone');
  const navigate = useNavigate();
  const container = useRef<HTMLDivElement>(null);
  const { day } = devotional;
  useLayoutEffect(() => {
    const shown = container.current;
    if (!shown) return;
    const now = new Date();
    const here = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    const zone = zoneKnown ? null : zoneToAsk({ shown: day, here, asked, own: deviceZone() });
    if (zone === null) {
      delete shown.dataset.elsewhere;
      return;
    }
    shown.dataset.elsewhere = '';
    // This effect runs again after navigation.
    void navigate(`/devotional?zone=${encodeURIComponent(zone)}`, {
      replace: true,
      preventScrollReset: true,
    });
  }, [zoneKnown, day, asked, navigate]);
  return (
    // The inline script sets attributes before hydration.
    <div ref={container} data-day={day} className="data-elsewhere:invisible" suppressHydrationWarning>
      {!zoneKnown && (
        // oxlint-disable-next-line react/no-danger -- our own script, without anything that varies
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: hideOtherDay }} />
      )}
      <DevotionalScreen devotional={devotional} subscribed={subscribed} isToday />
    </div>
  );
}
