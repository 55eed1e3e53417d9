import {
  BookOpen,
  CalendarDays,
  LogOut,
  ShieldCheck,
  SlidersHorizontal,
  Sprout,
  UserRound,
} from 'lucide-react';
import type { QueryClient } from '@tanstack/react-query';
import { useState, type ComponentType, type ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { can } from '#/features/access/rules.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { sharingQuery } from '#/features/care/ui/care-queries.ts';
import { m } from '#/texts/messages.js';
import { type Known, LiveDataProvider } from '#/web/api.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button } from '#/web/components/button.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { Route } from './+types/profile.ts';
import { pageRequest } from '../contexts.ts';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { GuestPage } from '../guest-screen.tsx';
import { sessionsTabData } from '../dashboards/session-data.ts';
import { prefetchFor, type ServerApi } from '../prefetch.ts';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { unlisted } from '../page-meta.ts';
import { libraryQuery } from '../profile/resources-tab.tsx';

const loading = () => <Spinner label={m.web_loading()} className="py-16" />;

const ProfileTab = lazyPart(async () => (await import('../profile/profile-tab.tsx')).ProfileTab, loading);
const SettingsTab = lazyPart(async () => (await import('../profile/settings-tab.tsx')).SettingsTab, loading);
const ProgressTab = lazyPart(async () => (await import('../profile/progress-tab.tsx')).ProgressTab, loading);
const SessionsTab = lazyPart(async () => (await import('../profile/sessions-tab.tsx')).SessionsTab, loading);
const ResourcesTab = lazyPart(
  async () => (await import('../profile/resources-tab.tsx')).ResourcesTab,
  loading,
);
const PrivacyTab = lazyPart(async () => (await import('../profile/privacy-tab.tsx')).PrivacyTab, loading);

export async function loader({ context, request }: Route.LoaderArgs) {
  const tab = new URL(request.url).searchParams.get('tab');
  const page = context.get(pageRequest);
  const { flags } = await page.api.settings.site();
  const found = await prefetchFor(page, (queries, api, viewer, at) => {
    const { accounts, care, exports, growth, resources } = api;
    const { role } = viewer;
    if (tab === 'sessions')
      return can(role, 'view_own_appointments') ? sessionsTabData(queries, api, viewer, at) : [];
    if (tab === 'progress') {
      if (!flags.includes('wellness_tracking')) return [];
      return [queries.query(growth.progress.mine.queryOptions())];
    }
    if (tab === 'resources') {
      if (!can(role, 'view_content')) return [];
      return [
        queries.infiniteQuery(libraryQuery(resources, 'got')),
        queries.infiniteQuery(libraryQuery(resources, 'favourites')),
      ];
    }
    if (tab === 'privacy') {
      return [
        queries.query(exports.list.queryOptions()),
        queries.query(accounts.devices.queryOptions()),
        ...(can(role, 'book_appointments') ? [queries.infiniteQuery(sharingQuery(care))] : []),
      ];
    }
    return [
      queries.query(accounts.profile.queryOptions()),
      ...(tab === 'settings' ? waysIn(queries, api, viewer) : []),
    ];
  });
  return found && found.known;
}

/** Queries of the Settings tab. */
function waysIn(queries: QueryClient, api: ServerApi, { hasPassword }: Viewer) {
  return [
    queries.query(api.emailChange.get.queryOptions()),
    queries.query(api.passkeys.list.queryOptions()),
    queries.query(api.signInPhone.get.queryOptions()),
    queries.query(api.identities.list.queryOptions()),
    ...(hasPassword
      ? [queries.query(api.secondFactor.get.queryOptions()), queries.query(api.words.get.queryOptions())]
      : []),
    queries.query(api.apiTokens.list.queryOptions()),
  ];
}

/** Renders immediately; tabs fetch their own data. */
export function clientLoader() {
  return null;
}

export const meta = unlisted(m.profile_title);

type TabPart = ComponentType<{ viewer: Viewer; onUnsaved: (unsaved: boolean) => void }>;

/** Order from the client spec, "Profile & Settings". */
const tabs = [
  { id: 'profile', label: m.profile_tab_profile, icon: <UserRound />, Part: ProfileTab },
  { id: 'settings', label: m.profile_tab_settings, icon: <SlidersHorizontal />, Part: SettingsTab },
  { id: 'progress', label: m.profile_tab_progress, icon: <Sprout />, Part: ProgressTab },
  { id: 'sessions', label: m.profile_tab_sessions, icon: <CalendarDays />, Part: SessionsTab },
  { id: 'resources', label: m.profile_tab_resources, icon: <BookOpen />, Part: ResourcesTab },
  { id: 'privacy', label: m.profile_tab_privacy, icon: <ShieldCheck />, Part: PrivacyTab },
] as const satisfies readonly { id: string; label: () => string; icon: ReactNode; Part: TabPart }[];

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { viewer } = useSession();
  if (!viewer)
    return (
      <GuestPage title={m.profile_title()} need="profile">
        {m.profile_guest_text()}
      </GuestPage>
    );
  return <SignedIn key={viewer.id} viewer={viewer} known={loaderData} />;
}

function SignedIn({ viewer, known }: { viewer: Viewer; known: Known | null }) {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const asked = query.get('tab');
  const value = tabs.find(({ id }) => id === asked)?.id ?? 'profile';

  const [unsaved, setUnsaved] = useState(false);
  const leave = async () => {
    if (await signOut()) await navigate('/');
  };
  return (
    <DashboardFrame>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Avatar id={viewer.id} name={viewer.fullName} src={viewer.photoUrl} size="lg" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="text-quiet">{m.profile_title()}</p>
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{viewer.fullName}</h1>
        </div>
      </div>
      <LiveDataProvider known={known}>
        <div className="mt-6">
          <WhenHydrated>
            <Tabs
              label={m.profile_title()}
              value={value}
              onChange={(id) =>
                setQuery(id === 'profile' ? {} : { tab: id }, { replace: true, preventScrollReset: true })
              }
              tabs={tabs.map(({ id, label, icon, Part }) => ({
                id,
                label: label(),
                icon,
                content: (
                  <div className="pt-6 sm:pt-8">
                    <Part viewer={viewer} onUnsaved={setUnsaved} />
                  </div>
                ),
              }))}
            />
          </WhenHydrated>
        </div>
      </LiveDataProvider>
      <div className="mt-12 border-t border-line pt-6">
        <Button variant="secondary" className="max-sm:w-full" onClick={() => void leave()}>
          <LogOut />
          {m.site_sign_out()}
        </Button>
      </div>
      <LeaveGuard unsaved={unsaved} />
    </DashboardFrame>
  );
}
