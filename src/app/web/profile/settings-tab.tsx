import { useId, useState, type ReactNode } from 'react';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { ApiTokensCard } from '#/features/accounts/ui/api-tokens-card.tsx';
import { ChangePassword } from '#/features/accounts/ui/change-password.tsx';
import { EmailCard } from '#/features/accounts/ui/email-card.tsx';
import { IdentitiesCard } from '#/features/accounts/ui/identities-card.tsx';
import { PasskeysCard } from '#/features/accounts/ui/passkeys-card.tsx';
import { PreferenceSwitches } from '#/features/accounts/ui/preference-switches.tsx';
import { RecoveryKeyCard } from '#/features/accounts/ui/recovery-key-card.tsx';
import { SecondFactorCard } from '#/features/accounts/ui/second-factor-card.tsx';
import { SetPassword } from '#/features/accounts/ui/set-password.tsx';
import { RowAction, SettingRow } from '#/features/accounts/ui/setting-row.tsx';
import { SignInPhoneCard } from '#/features/accounts/ui/sign-in-phone-card.tsx';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { OwnProfile } from './own-profile.tsx';

const CalendarSync = lazyPart(async () => (await import('../calendar-sync.tsx')).CalendarSync);

export function SettingsTab({ viewer }: { viewer: Viewer }) {
  const [syncing, setSyncing] = useState(false);
  return (
    <OwnProfile>
      {(profile) => (
        <div className="grid grid-cols-1 gap-4 sm:gap-6">
          <Settings title={m.profile_sent()} text={m.profile_sent_text({ email: viewer.email })}>
            <PreferenceSwitches profile={profile} section="sent" />
            <PermissionGate role={viewer.role} capability="view_own_appointments" fallback={null}>
              <SettingRow
                title={m.feed_title()}
                text={m.feed_settings_text()}
                action={
                  <RowAction about={m.feed_title()} onClick={() => setSyncing(true)}>
                    {m.profile_set_up()}
                  </RowAction>
                }
              >
                {syncing && <CalendarSync onClose={() => setSyncing(false)} />}
              </SettingRow>
            </PermissionGate>
            <PreferenceSwitches profile={profile} section="discretion" />
          </Settings>
          <Settings title={m.profile_sign_in()}>
            <EmailCard viewer={viewer} />
            {viewer.hasPassword ? (
              <SettingRow title={m.accounts_password()} action={<ChangePassword />} />
            ) : (
              <SettingRow title={m.accounts_password()} text={m.accounts_password_missing_text()}>
                <SetPassword email={viewer.email} />
              </SettingRow>
            )}
            <PasskeysCard />
            <SignInPhoneCard />
            <IdentitiesCard />
            {viewer.hasPassword && <SecondFactorCard />}
            {viewer.hasPassword && <RecoveryKeyCard />}
            <ApiTokensCard />
          </Settings>
        </div>
      )}
    </OwnProfile>
  );
}

function Settings({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className="pb-2! sm:pb-3!">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {text && <p className="text-quiet">{text}</p>}
      <div className="mt-1 divide-y divide-line">{children}</div>
    </Card>
  );
}
