import {
  BookOpen,
  CalendarDays,
  LogOut,
  ShieldCheck,
  SlidersHorizontal,
  Sprout,
  UserRound,
} from 'lucide-react';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Viewer } from '#/features/accounts/contract.ts';
import { SessionWatch } from '#/features/accounts/ui/session-watch.tsx';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button } from '#/web/components/button.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import type { Route } from './+types/profile.ts';
import { DashboardFrame } from '../dashboards/dashboard-frame.tsx';
import { GuestScreen } from '../guest-screen.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { UnsavedProvider, useUnsaved } from '../profile/unsaved.tsx';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.profile_title());
}

type TabPart = ComponentType<{ viewer: Viewer }>;

// Each tab is loaded when it is opened first.
const ProfileTab = lazy(async () => ({ default: (await import('../profile/profile-tab.tsx')).ProfileTab }));
const SettingsTab = lazy(async () => ({
  default: (await import('../profile/settings-tab.tsx')).SettingsTab,
}));
const ProgressTab = lazy(async () => ({
  default: (await import('../profile/progress-tab.tsx')).ProgressTab,
}));
const SessionsTab = lazy(async () => ({
  default: (await import('../profile/sessions-tab.tsx')).SessionsTab,
}));
const ResourcesTab = lazy(async () => ({
  default: (await import('../profile/resources-tab.tsx')).ResourcesTab,
}));
const PrivacyTab = lazy(async () => ({ default: (await import('../profile/privacy-tab.tsx')).PrivacyTab }));

/** Client spec, 'Profile & Settings', in its order. */
const tabs = [
  { id: 'profile', label: m.profile_tab_profile, icon: <UserRound />, Part: ProfileTab },
  { id: 'settings', label: m.profile_tab_settings, icon: <SlidersHorizontal />, Part: SettingsTab },
  { id: 'progress', label: m.profile_tab_progress, icon: <Sprout />, Part: ProgressTab },
  { id: 'sessions', label: m.profile_tab_sessions, icon: <CalendarDays />, Part: SessionsTab },
  { id: 'resources', label: m.profile_tab_resources, icon: <BookOpen />, Part: ResourcesTab },
  { id: 'privacy', label: m.profile_tab_privacy, icon: <ShieldCheck />, Part: PrivacyTab },
] as const satisfies readonly { id: string; label: () => string; icon: ReactNode; Part: TabPart }[];

export default function Profile() {
  const { viewer } = useSession();
  if (!viewer) {
    return (
      <DashboardFrame>
        <GuestScreen title={m.profile_heading()} need="profile" ask>
          {m.profile_guest_text()}
        </GuestScreen>
      </DashboardFrame>
    );
  }
  return (
    <UnsavedProvider key={viewer.id}>
      <SignedIn viewer={viewer} />
    </UnsavedProvider>
  );
}

function SignedIn({ viewer }: { viewer: Viewer }) {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const asked = query.get('tab');
  const value = tabs.find(({ id }) => id === asked)?.id ?? 'profile';

  const { guard } = useUnsaved();
  const leave = async () => {
    if (await signOut()) await navigate('/');
  };
  return (
    <DashboardFrame>
      <div className="flex items-center gap-4">
        <Avatar id={viewer.id} name={viewer.fullName} src={viewer.photoUrl} size="lg" />
        <div className="min-w-0">
          <p className="text-quiet">{m.profile_heading()}</p>
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{viewer.fullName}</h1>
        </div>
      </div>
      <DataProvider>
        <RealtimeProvider>
          <SessionWatch />
          <div className="mt-6">
            <Tabs
              label={m.profile_heading()}
              value={value}
              onChange={(id) =>
                setQuery(id === 'profile' ? {} : { tab: id }, { replace: true, preventScrollReset: true })
              }
              tabs={tabs.map(({ id, label, icon, Part }) => ({
                id,
                label: label(),
                icon,
                content: <Panel viewer={viewer} Part={Part} />,
              }))}
            />
          </div>
        </RealtimeProvider>
      </DataProvider>
      <div className="mt-12 border-t border-line pt-6">
        <Button variant="secondary" className="max-sm:w-full" onClick={() => guard(() => void leave())}>
          <LogOut />
          {m.site_sign_out()}
        </Button>
      </div>
    </DashboardFrame>
  );
}

/** A tab's content, or that it is on its way. */
function Panel({ viewer, Part }: { viewer: Viewer; Part: TabPart }) {
  return (
    <Suspense
      fallback={
        <div className="grid min-h-60 place-items-center">
          <Spinner label={m.profile_loading()} />
        </div>
      }
    >
      <div className="pt-6 sm:pt-8">
        <Part viewer={viewer} />
      </div>
    </Suspense>
  );
}
