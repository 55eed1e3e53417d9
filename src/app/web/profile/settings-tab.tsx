import { useId } from 'react';
import type { Viewer } from '#/features/accounts/contract.ts';
import { PreferenceSwitches } from '#/features/accounts/ui/preference-switches.tsx';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { OwnProfile } from './own-profile.tsx';

/** What the person wants to be sent, and how much of it others may see. */
export function SettingsTab({ viewer }: { viewer: Viewer }) {
  const sentId = useId();
  const discreetId = useId();
  return (
    <OwnProfile>
      {(profile) => (
        <div className="grid gap-6">
          <Card as="section" aria-labelledby={sentId}>
            <h2 id={sentId} className="text-xl">
              {m.profile_sent()}
            </h2>
            <p className="mt-1 mb-3 text-quiet">{m.profile_sent_text({ email: viewer.email })}</p>
            <PreferenceSwitches
              profile={profile}
              only={['sessionReminders', 'dailyDevotionals', 'communityUpdates']}
            />
          </Card>
          <Card as="section" aria-labelledby={discreetId}>
            <h2 id={discreetId} className="text-xl">
              {m.profile_discretion()}
            </h2>
            <PreferenceSwitches profile={profile} only={['keepDiscreet']} />
          </Card>
        </div>
      )}
    </OwnProfile>
  );
}
