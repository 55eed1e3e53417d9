import { useId, useState } from 'react';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { ApiTokensCard } from '#/features/accounts/ui/api-tokens-card.tsx';
import { ChangePassword } from '#/features/accounts/ui/change-password.tsx';
import { IdentitiesCard } from '#/features/accounts/ui/identities-card.tsx';
import { PasskeysCard } from '#/features/accounts/ui/passkeys-card.tsx';
import { PreferenceSwitches } from '#/features/accounts/ui/preference-switches.tsx';
import { RecoveryKeyCard } from '#/features/accounts/ui/recovery-key-card.tsx';
import { SecondFactorCard } from '#/features/accounts/ui/second-factor-card.tsx';
import { SetPassword } from '#/features/accounts/ui/set-password.tsx';
import { SignInPhoneCard } from '#/features/accounts/ui/sign-in-phone-card.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { OwnProfile } from './own-profile.tsx';

const CalendarSync = lazyPart(async () => (await import('../calendar-sync.tsx')).CalendarSync);

export function SettingsTab({ viewer }: { viewer: Viewer }) {
  const sentId = useId();
  const discreetId = useId();
  const passwordId = useId();
  const syncId = useId();
  const [syncing, setSyncing] = useState(false);
  return (
    <OwnProfile>
      {(profile) => (
        <div className="grid grid-cols-1 gap-6">
          <Card as="section" aria-labelledby={sentId}>
            <h2 id={sentId} className="text-xl">
              {m.profile_sent()}
            </h2>
            <p className="mt-1 mb-3 text-quiet">{m.profile_sent_text({ email: viewer.email })}</p>
            <PreferenceSwitches profile={profile} section="sent" />
          </Card>
          <Card as="section" aria-labelledby={discreetId}>
            <h2 id={discreetId} className="text-xl">
              {m.profile_discretion()}
            </h2>
            <PreferenceSwitches profile={profile} section="discretion" />
          </Card>
          <Card as="section" aria-labelledby={passwordId}>
            <h2 id={passwordId} className="text-xl">
              {viewer.hasPassword ? m.accounts_password() : m.accounts_password_missing_title()}
            </h2>
            <p className="mt-1 mb-4 text-quiet">
              {viewer.hasPassword ? m.accounts_password_about() : m.accounts_password_missing_text()}
            </p>
            {viewer.hasPassword ? <ChangePassword /> : <SetPassword email={viewer.email} />}
          </Card>
          <PasskeysCard />
          <SignInPhoneCard />
          <IdentitiesCard />
          <ApiTokensCard />
          {viewer.hasPassword && <SecondFactorCard />}
          {viewer.hasPassword && <RecoveryKeyCard />}
          <PermissionGate role={viewer.role} capability="view_own_appointments" fallback={null}>
            <Card as="section" aria-labelledby={syncId}>
              <h2 id={syncId} className="text-xl">
                {m.feed_title()}
              </h2>
              <p className="mt-1 mb-4 text-quiet">{m.feed_settings_text()}</p>
              <Button variant="secondary" onClick={() => setSyncing(true)}>
                {m.feed_settings_open()}
              </Button>
              {syncing && <CalendarSync onClose={() => setSyncing(false)} />}
            </Card>
          </PermissionGate>
        </div>
      )}
    </OwnProfile>
  );
}
