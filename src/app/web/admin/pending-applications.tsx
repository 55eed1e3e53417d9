import { useQuery } from '@tanstack/react-query';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { typeText } from '#/features/providers/applications/rules.ts';
import { ApplicationDecisions } from '#/features/providers/ui/application-decisions.tsx';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { EmailText } from '#/web/components/email-text.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import { pendingInput } from './administrator-data.ts';

export function PendingApplications() {
  const ownZone = useOwnZone();
  useLiveQueries(api.providers.applications.key(), 'providers.applications_changed');
  const query = useQuery(api.providers.applications.list.queryOptions({ input: pendingInput }));
  return (
    <Section title={m.applications_home_title()} titleClassName="mb-4 text-xl" focusable className="mt-10">
      <Card className="p-2!">
        <Fetched
          query={query}
          failure={m.applications_list_failed()}
          skeleton={<Skeleton className="m-3 h-32" />}
        >
          {({ applications }) =>
            applications.length === 0 ? (
              <EmptyState
                as="h3"
                illustration={<OliveBranchIllustration />}
                title={m.applications_home_empty()}
              />
            ) : (
              <ul className="divide-y divide-line">
                {applications.map((application) => (
                  <li
                    key={application.id}
                    className="grid items-center gap-x-6 gap-y-2.5 px-3 py-3.5 sm:grid-cols-[minmax(0,1fr)_auto]"
                  >
                    <div className="min-w-0">
                      <h3 className="text-base font-semibold wrap-anywhere">
                        <PersonLink id={application.personId} className="py-3">
                          {application.name}
                        </PersonLink>
                      </h3>
                      <p className="text-sm wrap-anywhere text-quiet">
                        {typeText(application.type)} · {application.specialization}
                      </p>
                      <p className="text-sm wrap-anywhere text-quiet">
                        <EmailText email={application.email} /> ·{' '}
                        {longDateText(application.submittedAt, ownZone)}
                      </p>
                    </div>
                    <div className="sm:max-w-md">
                      <ApplicationDecisions
                        application={application}
                        approvedText={m.applications_approved_short()}
                        rejectedTone="destructive"
                      >
                        <ButtonLink
                          about={m.applications_of({ name: application.name })}
                          to={`/admin/applications/${application.id}`}
                          variant="secondary"
                          size="sm"
                        >
                          {m.applications_home_view()}
                        </ButtonLink>
                      </ApplicationDecisions>
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
      </Card>
    </Section>
  );
}
