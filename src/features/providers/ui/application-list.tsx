import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useState, type ComponentType, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi, useLiveQueries } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Tabs } from '#/web/components/tabs.tsx';
import { longDateText } from '#/web/times.ts';
import { zoneName } from '#/web/zones.ts';
import type { Application, ApplicationStatus } from '../applications/contract.ts';
import { typeText } from '../applications/rules.ts';
import { ApplicationDecisions } from './application-decisions.tsx';
import { credentialEndText, credentialKindText } from './credential-texts.ts';

/** Approval dialog, injected because later features implement it. */
type ApprovalDialog = ComponentType<{ user: { id: string; name: string }; onClose: () => void }>;

const page = 10;

const statusTexts: Readonly<Record<ApplicationStatus, () => string>> = {
  pending: m.applications_status_pending,
  approved: m.applications_status_approved,
  rejected: m.applications_status_rejected,
};

const noneTexts: Readonly<Record<ApplicationStatus, () => string>> = {
  pending: m.applications_list_none_pending,
  approved: m.applications_list_none_approved,
  rejected: m.applications_list_none_rejected,
};

const tones = { pending: 'gold', approved: 'sage', rejected: 'clay' } as const;

function useApplications(status: ApplicationStatus) {
  const api = useApi();
  return useInfiniteQuery(
    api.providers.applications.list.infiniteOptions({
      input: (after: string | undefined) => ({ status, limit: page, ...(after ? { after } : {}) }),
      initialPageParam: undefined,
      getNextPageParam: ({ applications, more }) => (more ? applications.at(-1)?.id : undefined),
    }),
  );
}

export function ApplicationList({
  status,
  onStatus,
  Approval,
}: {
  status: ApplicationStatus;
  onStatus: (status: ApplicationStatus) => void;
  Approval: ApprovalDialog;
}) {
  const api = useApi();
  useLiveQueries(api.providers.applications.key(), 'providers.applications_changed');
  const counts = useApplications(status).data?.pages[0]?.counts;
  return (
    <Tabs
      label={m.applications_statuses()}
      value={status}
      onChange={onStatus}
      tabs={(['pending', 'approved', 'rejected'] as const).map((id) => ({
        id,
        label: counts ? `${statusTexts[id]()} (${counts[id]})` : statusTexts[id](),
        content: (
          <div className="pt-5">
            <Listed status={id} Approval={Approval} />
          </div>
        ),
      }))}
    />
  );
}

function Listed({ status, Approval }: { status: ApplicationStatus; Approval: ApprovalDialog }) {
  const query = useApplications(status);
  return (
    <Fetched
      query={query}
      label={m.applications_list_loading()}
      failure={m.applications_list_failed()}
      skeleton={<Skeleton className="h-48" />}
    >
      {({ pages }) => {
        const entries = pages.flatMap(({ applications }) => applications);
        if (entries.length === 0)
          return (
            <Card>
              <EmptyState as="h3" illustration={<OliveBranchIllustration />} title={noneTexts[status]()} />
            </Card>
          );
        return (
          <>
            <ul className="grid max-w-3xl gap-4">
              {entries.map((application) => (
                <li key={application.id}>
                  <Entry application={application} Approval={Approval} />
                </li>
              ))}
            </ul>
            <MoreButton query={query} />
          </>
        );
      }}
    </Fetched>
  );
}

function Entry({ application, Approval }: { application: Application; Approval: ApprovalDialog }) {
  const { credential, documents, status, reason, revokedAt } = application;
  const [changing, setChanging] = useState(false);
  return (
    <Card
      as="article"
      id={`application-${application.id}`}
      tabIndex={-1}
      aria-label={m.applications_of({ name: application.name })}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 text-lg wrap-anywhere">{application.name}</h3>
        {revokedAt ? (
          <Badge tone="clay">{m.approval_revoked()}</Badge>
        ) : (
          <Badge tone={tones[status]}>{statusTexts[status]()}</Badge>
        )}
      </div>
      <p className="text-quiet wrap-anywhere">
        {typeText(application.type)} · {application.specialization}
      </p>
      <dl className="mt-4 grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <Fact name={m.applications_email()}>
          <a href={`mailto:${application.email}`} className="py-3 text-primary hover:underline">
            {application.email}
          </a>
        </Fact>
        <Fact name={m.practice_field_phone()}>{application.phone || m.applications_no_phone()}</Fact>
        <Fact name={m.practice_field_experience()}>{application.experience}</Fact>
        <Fact name={m.practice_field_location()}>
          {application.location} · {zoneName(application.timeZone)}
        </Fact>
        {application.education.length > 0 && (
          <Fact name={m.practice_field_education()}>{application.education.join('; ')}</Fact>
        )}
        <Fact name={m.practice_field_languages()}>{application.languages.join(', ')}</Fact>
        <Fact name={m.practice_field_services()}>{application.services.join(', ')}</Fact>
        <Fact name={m.applications_date()}>{longDateText(application.submittedAt)}</Fact>
        <Fact name={m.applications_credential()}>
          {credentialKindText(credential.kind)} {credential.number}, {credential.issuer}, {credential.region}
          <span className="block text-sm text-quiet">{credentialEndText(credential.expiresOn)}</span>
        </Fact>
        <Fact name={m.applications_documents()}>
          <ul>
            {documents.map((document) => (
              <li key={document.id}>
                <a
                  href={document.path}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex min-h-11 items-center gap-1.5 text-primary hover:underline sm:pointer-fine:min-h-8"
                >
                  <FileText aria-hidden className="size-4 shrink-0" />
                  {document.name}
                </a>
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
      <p className="mt-4 wrap-anywhere whitespace-pre-line">{application.bio}</p>
      {application.decidedAt && (
        <p className="mt-4 text-sm text-quiet">
          {m.applications_decided({ date: longDateText(application.decidedAt) })}
        </p>
      )}
      {reason && (
        <p className="mt-2 rounded-control bg-sunken px-4 py-2.5 text-sm wrap-anywhere whitespace-pre-line">
          {m.applications_reason_given({ reason })}
        </p>
      )}
      {status === 'pending' && (
        <div className="mt-5">
          <ApplicationDecisions application={application} approvedText={m.applications_approved_portal()} />
        </div>
      )}
      {status === 'approved' && (
        <Button
          about={m.applications_of({ name: application.name })}
          variant="secondary"
          size="sm"
          className="mt-5"
          onClick={() => setChanging(true)}
        >
          {revokedAt ? m.approval_restore() : m.approval_revoke()}
        </Button>
      )}
      {changing && (
        <Approval
          user={{ id: application.personId, name: application.name }}
          onClose={() => setChanging(false)}
        />
      )}
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
