import type { ReactNode } from 'react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { ClientView } from '#/features/care/clients/contract.ts';
import { SharedGoals } from '#/features/growth/ui/shared-goals.tsx';
import { SharedProgress } from '#/features/growth/ui/shared-progress.tsx';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { HandsIllustration } from '#/web/components/illustrations/hands.tsx';

/** Only what the client chose to share. */
export function SharedPanel({ client, timeZone }: { client: ClientView; timeZone: string }) {
  const { flags } = useSite();
  const { id, name, shared } = client;
  const growth = flags.includes('wellness_tracking');
  const [goals, progress] = [growth && shared.goals, growth && shared.progress];
  if (!shared.profile && !goals && !progress) {
    return (
      <Card>
        <EmptyState as="h2" illustration={<HandsIllustration />} title={m.care_shared_nothing_title()}>
          {m.care_shared_nothing_text({ name })}
        </EmptyState>
      </Card>
    );
  }
  return (
    <section aria-labelledby="client-shared">
      <h2 id="client-shared" tabIndex={-1} className="rounded-control text-xl sm:text-2xl">
        {m.care_tab_shared()}
      </h2>
      <p className="mt-1 mb-6 max-w-reading text-quiet">{m.care_shared_note({ name })}</p>
      <div className="grid gap-6">
        {shared.profile && (
          <Part id="shared-profile" title={m.care_shared_profile()}>
            <dl className="grid gap-4 sm:grid-cols-2">
              <div>
                <dt className="text-sm text-quiet">{m.care_shared_focus()}</dt>
                <dd className="mt-1 flex flex-wrap gap-2">
                  {shared.profile.focusAreas.map((area) => (
                    <Badge key={area} tone="primary">
                      {area}
                    </Badge>
                  ))}
                  {shared.profile.focusAreas.length === 0 && m.care_shared_focus_none()}
                </dd>
              </div>
              <div>
                <dt className="text-sm text-quiet">{m.care_shared_tradition()}</dt>
                <dd className="mt-1 wrap-anywhere">
                  {shared.profile.tradition || m.care_shared_tradition_none()}
                </dd>
              </div>
            </dl>
          </Part>
        )}
        {goals && (
          <Part id="shared-goals" title={m.care_sharing_goals()}>
            <SharedGoals clientId={id} timeZone={timeZone} />
          </Part>
        )}
        {progress && (
          <Part id="shared-progress" title={m.care_sharing_progress()}>
            <SharedProgress clientId={id} />
          </Part>
        )}
      </div>
    </section>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Card as="section" aria-labelledby={id}>
      <h3 id={id} className="mb-4 text-xl">
        {title}
      </h3>
      {children}
    </Card>
  );
}
