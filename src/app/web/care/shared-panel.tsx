import { useSite } from '#/features/accounts/ui/session.tsx';
import type { ClientView } from '#/features/care/clients/contract.ts';
import { SharedGoals } from '#/features/growth/ui/shared-goals.tsx';
import { SharedProgress } from '#/features/growth/ui/shared-progress.tsx';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Card, Section } from '#/web/components/card.tsx';
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
    <Section title={m.care_tab_shared()} titleClassName="text-xl sm:text-2xl" focusable>
      <p className="mt-1 mb-6 max-w-reading text-quiet">{m.care_shared_note({ name })}</p>
      <div className="grid gap-6">
        {shared.profile && (
          <Section card level="h3" titleClassName="mb-4 text-xl" title={m.care_shared_profile()}>
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
          </Section>
        )}
        {goals && (
          <Section card level="h3" titleClassName="mb-4 text-xl" title={m.care_sharing_goals()}>
            <SharedGoals clientId={id} timeZone={timeZone} />
          </Section>
        )}
        {progress && (
          <Section card level="h3" titleClassName="mb-4 text-xl" title={m.care_sharing_progress()}>
            <SharedProgress clientId={id} />
          </Section>
        )}
      </div>
    </Section>
  );
}
