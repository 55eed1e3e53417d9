import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, ExternalLink, MapPin, UserRoundPen } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { PhotoField } from '#/features/accounts/ui/photo-field.tsx';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import type { OwnListing } from '#/features/providers/contract.ts';
import { LicenseNotice, RevokedNotice } from '#/features/providers/ui/practice-notices.tsx';
import { ListingForm } from '#/features/providers/ui/listing-form.tsx';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import { failureCode } from '#/web/failures.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { pageRequest } from '../contexts.ts';
import { unlisted } from '../page-meta.ts';
import { ProviderPage } from '../provider-page.tsx';
import { prefetchFor } from '../prefetch.ts';
import { OwnProfile } from '../profile/own-profile.tsx';
import type { Route } from './+types/practice.ts';

const loading = () => <Spinner label={m.web_loading()} className="py-16" />;

const OwnCredentials = lazyPart(
  async () => (await import('#/features/providers/ui/own-credentials.tsx')).OwnCredentials,
  loading,
);
const PlacesEditor = lazyPart(
  async () => (await import('#/features/providers/ui/places-editor.tsx')).PlacesEditor,
  loading,
);

export async function loader({ context, request }: Route.LoaderArgs) {
  const tab = new URL(request.url).searchParams.get('tab');
  const found = await prefetchFor(
    context.get(pageRequest),
    (queries, { accounts, catalogue, providers }, { role }) => {
      if (!can(role, 'manage_own_availability')) return [];
      const listing = queries.query(providers.mine.queryOptions());
      if (tab === 'credentials') return [listing, queries.query(providers.credentials.mine.queryOptions())];
      if (tab === 'places') return [listing, queries.query(providers.places.list.queryOptions())];
      return [
        listing,
        queries.query(catalogue.services.queryOptions()),
        queries.query(accounts.profile.queryOptions()),
      ];
    },
  );
  return found && found.known;
}

/** Renders immediately; tabs fetch their own data. */
export function clientLoader() {
  return null;
}

export const meta = unlisted(m.practice_title);

export default function Practice({ loaderData }: Route.ComponentProps) {
  return (
    <ProviderPage
      title={m.practice_title()}
      intro={m.practice_intro()}
      action={<SeePage />}
      capability="manage_own_availability"
      known={loaderData}
    >
      <Rooms />
    </ProviderPage>
  );
}

function SeePage() {
  const { data: listing } = useQuery({ ...api.providers.mine.queryOptions(), enabled: false });
  return (
    listing?.listed && (
      <ButtonLink to={`/therapists/${listing.slug}`} variant="secondary" target="_blank">
        <ExternalLink aria-hidden />
        {m.practice_see_page()}
      </ButtonLink>
    )
  );
}

function Rooms() {
  useLiveQueries(api.providers.mine.key(), 'providers.listing_changed');
  const query = useQuery(api.providers.mine.queryOptions());
  if (failureCode(query.error) === 'not_found') return <p className="text-quiet">{m.practice_none()}</p>;
  return (
    <Fetched query={query} failure={m.practice_load_failed()}>
      {(listing) => <Listed listing={listing} />}
    </Fetched>
  );
}

function Listed({ listing }: { listing: OwnListing }) {
  const { supportEmail } = useSite();
  const [query, setQuery] = useSearchParams();
  const tabs = [
    {
      id: 'profile',
      label: m.practice_tab_profile(),
      icon: <UserRoundPen />,
      content: <Profile listing={listing} />,
    },
    {
      id: 'credentials',
      label: m.practice_tab_credentials(),
      icon: <BadgeCheck />,
      content: <OwnCredentials kind={listing.kind} />,
    },
    {
      id: 'places',
      label: m.practice_tab_places(),
      icon: <MapPin />,
      content: (
        <PlacesEditor
          hint={
            <>
              {m.places_hours_hint()}{' '}
              <Link to="/availability" className="text-primary underline hover:text-primary-strong">
                {m.availability_title()}
              </Link>
            </>
          }
        />
      ),
    },
  ] as const;
  const asked = query.get('tab');
  return (
    <>
      {!listing.listed && <p className="-mt-3 mb-5">{m.practice_unlisted()}</p>}
      {listing.revokedReason !== null && (
        <RevokedNotice reason={listing.revokedReason} supportEmail={supportEmail} />
      )}
      {listing.licenseEnd && <LicenseNotice end={listing.licenseEnd} />}
      <Tabs
        label={m.practice_title()}
        value={tabs.find(({ id }) => id === asked)?.id ?? 'profile'}
        onChange={(id) =>
          setQuery(id === 'profile' ? {} : { tab: id }, { replace: true, preventScrollReset: true })
        }
        tabs={tabs.map((tab) => ({
          ...tab,
          content: <div className="pt-6 sm:pt-8">{tab.content}</div>,
        }))}
      />
    </>
  );
}

function Profile({ listing }: { listing: OwnListing }) {
  const viewer = useViewer();
  const [unsaved, setUnsaved] = useState(false);
  const services = useQuery(api.catalogue.services.queryOptions());
  return (
    <div className="grid gap-6">
      <Card as="section" aria-label={m.practice_photo()}>
        <h2 className="mb-5 text-xl">{m.practice_photo()}</h2>
        {viewer && (
          <OwnProfile>{(profile) => <PhotoField viewer={viewer} photoUrl={profile.photoUrl} />}</OwnProfile>
        )}
        <Link
          to="/profile"
          className="mt-1 inline-flex min-h-11 items-center text-primary underline hover:text-primary-strong"
        >
          {m.practice_account_link()}
        </Link>
      </Card>
      <Fetched query={services} failure={m.practice_load_failed()}>
        {(offered) => <ListingForm listing={listing} services={offered} onUnsaved={setUnsaved} />}
      </Fetched>
      <LeaveGuard unsaved={unsaved} />
    </div>
  );
}
