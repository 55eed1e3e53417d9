import { replace } from 'react-router';
import { onwardPath } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import { lazyPart } from '#/web/lazy-part.tsx';
import { pageRequest } from '../contexts.ts';
import { CoreServices } from '../landing/core-services.tsx';
import { Hero } from '../landing/hero.tsx';
import { HowItWorks } from '../landing/how-it-works.tsx';
import { Specialists } from '../landing/specialists.tsx';
import { Testimonials } from '../landing/testimonials.tsx';
import { WelcomeCard } from '../landing/welcome-card.tsx';
import { organization, pageMeta, siteHead, unlistedMeta } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import type { Route } from './+types/landing.ts';

/** Lazy: most visitors don't sign in. */
const AuthCard = lazyPart(async () => (await import('#/features/accounts/ui/auth-card.tsx')).AuthCard);

/** Specialists on the landing page (client spec, section 9). */
const specialistsShown = 3;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const query = new URL(request.url).searchParams;
  if (query.get('auth') === '1') {
    // Also applies right after sign-in; `replace` keeps the card out of browser history.
    if (await api.accounts.me()) return replace(onwardPath(query.get('next')));
    return null;
  }
  const [services, specialists, testimonials] = await Promise.all([
    api.catalogue.services(),
    api.providers.list({ limit: 100 }),
    api.reviews.featured(),
  ]);
  const first = (id: string) => specialists.find(({ serviceIds }) => serviceIds.includes(id))?.id;
  return {
    services: services.map((service) => ({ ...service, firstSpecialistId: first(service.id) })),
    specialists: specialists.slice(0, specialistsShown),
    testimonials,
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const head = siteHead(matches);
  if (!loaderData) return unlistedMeta(head.site, m.site_log_in());
  const { siteName } = head.site;
  return pageMeta(head, {
    title: m.landing_title({ site: siteName }),
    description: m.landing_description(),
    path: '/',
    structured: [
      {
        ...organization(head),
        makesOffer: loaderData.services.map(({ id, title }) => ({
          '@type': 'Offer',
          itemOffered: { '@type': 'Service', name: title, url: `${head.appUrl}/service/${id}` },
        })),
      },
      { '@type': 'WebSite', name: siteName, url: `${head.appUrl}/` },
    ],
  });
}

export default function Landing({ loaderData }: Route.ComponentProps) {
  if (loaderData) return <Welcome {...loaderData} />;
  return <AuthCard />;
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']>;

function Welcome({ services, specialists, testimonials }: Loaded) {
  return (
    <SiteFrame tabs="landing" services={services}>
      <Hero />
      <WelcomeCard />
      <CoreServices services={services} />
      <Specialists specialists={specialists} />
      <Testimonials testimonials={testimonials} />
      <HowItWorks />
    </SiteFrame>
  );
}
