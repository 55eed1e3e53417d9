import { ChevronDown, FileText } from 'lucide-react';
import { useState, type ComponentType } from 'react';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmailText } from '#/web/components/email-text.tsx';
import { Fact, factRows } from '#/web/components/fact.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import { zoneName } from '#/web/zones.ts';
import type { Application } from '../applications/contract.ts';
import { typeText } from '../applications/rules.ts';
import { ApplicationDecisions } from './application-decisions.tsx';
import { applicationStatusTexts } from './application-texts.ts';
import { credentialEndText, credentialKindText } from './credential-texts.ts';

/** Approval dialog, injected because later features implement it. */
export type ApprovalDialog = ComponentType<{ user: { id: string; name: string }; onClose: () => void }>;

const tones = { pending: 'gold', approved: 'sage', rejected: 'clay' } as const;

/** An application with documents and decision buttons. */
export function ApplicationEntry({
  as: Heading = 'h3',
  application,
  Approval,
}: {
  as?: 'h2' | 'h3';
  application: Application;
  Approval: ApprovalDialog;
}) {
  const ownZone = useOwnZone();
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
        <Heading className="min-w-0 text-lg wrap-anywhere">
          <PersonLink id={application.personId} className="py-2.5">
            {application.name}
          </PersonLink>
        </Heading>
        {revokedAt ? (
          <Badge tone="clay">{m.approval_revoked()}</Badge>
        ) : (
          <Badge tone={tones[status]}>{applicationStatusTexts[status]()}</Badge>
        )}
      </div>
      <p className="text-quiet wrap-anywhere">
        {typeText(application.type)} · {application.specialization}
      </p>
      <dl className={classes('mt-3', factRows)}>
        <Fact name={m.applications_date()}>{longDateText(application.submittedAt, ownZone)}</Fact>
        <Fact name={m.applications_credential()}>
          {credentialKindText(credential.kind)} {credential.number}, {credential.issuer}, {credential.region}
          <span className="block text-sm text-quiet">{credentialEndText(credential.expiresOn)}</span>
        </Fact>
        <Fact name={m.applications_documents()}>
          <ul className="flex flex-wrap gap-x-4">
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
      {Heading === 'h2' ? (
        <Details application={application} />
      ) : (
        <details className="group mt-1" open={false}>
          <summary className="inline-flex min-h-11 list-none items-center gap-1 font-semibold text-primary hover:underline [&::-webkit-details-marker]:hidden">
            {m.web_row_details()}
            <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
          </summary>
          <Details application={application} />
        </details>
      )}
      {application.decidedAt && (
        <p className="mt-4 text-sm text-quiet">
          {m.applications_decided({ date: longDateText(application.decidedAt, ownZone) })}
        </p>
      )}
      {reason && (
        <p className="mt-2 rounded-control bg-sunken px-4 py-2.5 text-sm wrap-anywhere whitespace-pre-line">
          {m.applications_reason_given({ reason })}
        </p>
      )}
      {status === 'pending' && (
        <div className="mt-3">
          <ApplicationDecisions application={application} approvedText={m.applications_approved_portal()} />
        </div>
      )}
      {status === 'approved' && (
        <Button
          about={m.applications_of({ name: application.name })}
          variant="secondary"
          size="sm"
          className="mt-3"
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

function Details({ application }: { application: Application }) {
  return (
    <>
      <dl className={classes('mt-1.5', factRows)}>
        <Fact name={m.applications_email()}>
          <a
            href={`mailto:${application.email}`}
            className="inline-flex min-h-11 items-center text-primary hover:underline sm:pointer-fine:min-h-8"
          >
            <EmailText email={application.email} />
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
      </dl>
      <p className="mt-3 wrap-anywhere whitespace-pre-line">{application.bio}</p>
    </>
  );
}
