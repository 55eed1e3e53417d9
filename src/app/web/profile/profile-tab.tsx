import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Viewer } from '#/features/accounts/contract.ts';
import { FocusAreas } from '#/features/accounts/ui/focus-areas.tsx';
import { PhotoField } from '#/features/accounts/ui/photo-field.tsx';
import { ProfileForm } from '#/features/accounts/ui/profile-form.tsx';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Section } from '#/web/components/card.tsx';
import { OwnProfile } from './own-profile.tsx';

export function ProfileTab({ viewer, onUnsaved }: { viewer: Viewer; onUnsaved: (unsaved: boolean) => void }) {
  const [editing, setEditing] = useState(false);
  const suggestions = useIssues(editing);
  const provider = isProvider(viewer.role);
  return (
    <OwnProfile>
      {(profile) => (
        <div className="grid gap-6">
          <Section card title={m.profile_about()}>
            <p className="mt-1 mb-6 text-quiet">
              {provider ? m.profile_about_provider_text() : m.profile_about_text()}
            </p>
            {provider && (
              <p className="-mt-4 mb-6">
                {m.practice_from_account()}{' '}
                <Link to="/practice" className="text-primary underline hover:text-primary-strong">
                  {m.practice_from_account_link()}
                </Link>
              </p>
            )}
            <div className="mb-8">
              <PhotoField viewer={viewer} photoUrl={profile.photoUrl} />
            </div>
            <ProfileForm profile={profile} onUnsaved={onUnsaved} />
          </Section>
          {viewer.role === 'client' && (
            <Section card title={m.profile_focus()}>
              <p className="mt-1 mb-5 text-quiet">{m.profile_focus_text()}</p>
              <FocusAreas
                areas={profile.mentalHealthFocus}
                suggestions={suggestions}
                onEdit={() => setEditing(true)}
              />
            </Section>
          )}
        </div>
      )}
    </OwnProfile>
  );
}

function useIssues(enabled: boolean): string[] {
  const services = useQuery({ ...api.catalogue.services.queryOptions(), enabled }).data ?? [];
  const details = useQueries({
    queries: services.map(({ id }) => api.catalogue.service.queryOptions({ input: { id } })),
  });
  const issues = details.flatMap(({ data }) => data?.issuesAddressed ?? []);
  return [...new Map(issues.map((issue) => [issue.toLowerCase(), issue])).values()];
}
