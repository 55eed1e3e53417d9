import { data } from 'react-router';
import { asQuoted, dayText, yearDays } from '#/features/growth/devotionals/rules.ts';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Container } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { DevotionalScreen } from '../devotional/devotional-screen.tsx';
import { organization, pageMeta, siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/devotional-day.ts';

export async function loader({ context, params: { day } }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const viewer = await api.accounts.me();
  if (!yearDays.includes(day)) return data({ devotional: null, subscribed: false }, { status: 404 });
  const [devotional, profile] = await Promise.all([
    api.growth.devotionals.byDay({ day }),
    viewer && api.accounts.profile(),
  ]);
  return data({ devotional, subscribed: profile?.dailyDevotionals ?? false });
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  const devotional = loaderData?.devotional;
  if (!devotional) return unlistedMeta(head.site, m.devotional_not_found());
  const { day, title, reference, text, thought } = devotional;
  const path = `/devotional/${day}`;
  return pageMeta(head, {
    title: m.devotional_meta_title({ title, date: dayText(day), site: head.site.siteName }),
    description: `${reference}: ${asQuoted(text)}`.slice(0, 300),
    path,
    structured: [
      {
        '@type': 'Article',
        headline: title,
        about: reference,
        description: thought,
        url: `${head.appUrl}${path}`,
        isAccessibleForFree: true,
        publisher: organization(head),
      },
    ],
  });
}

export default function DevotionalOfDay({ loaderData: { devotional, subscribed } }: Route.ComponentProps) {
  if (devotional) return <DevotionalScreen devotional={devotional} subscribed={subscribed} isToday={false} />;
  return (
    <Container className="py-12">
      <EmptyState
        as="h1"
        illustration={<WindowIllustration />}
        title={m.devotional_not_found()}
        action={<ButtonLink to="/devotional">{m.home_devotional()}</ButtonLink>}
      >
        {m.devotional_not_found_text()}
      </EmptyState>
    </Container>
  );
}
