import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Section } from '#/web/components/card.tsx';
import { Fact } from '#/web/components/fact.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import type { OwnCredential } from '../credentials/contract.ts';
import type { ProviderStatus as Status } from '../contract.ts';
import { applicationStatusTexts } from './application-texts.ts';
import { credentialEndText, credentialKindText } from './credential-texts.ts';

/** For administrators: a person's listing, licenses and application. Shows nothing for people with none. */
export function ProviderStatus({ personId }: { personId: string }) {
  const ownZone = useOwnZone();
  const query = useQuery(api.providers.status.get.queryOptions({ input: { personId }, retry: false }));
  return (
    <Fetched query={query} failure={m.provider_status_failed()} skeleton={<Skeleton className="h-24" />}>
      {({ listing, credentials, application }) =>
        !listing && !application ? null : (
          <Section title={m.provider_status_title()} titleClassName="mb-2 text-lg">
            <dl className="grid gap-3 text-sm">
              {listing && <Listing listing={listing} />}
              {credentials.map((credential) => (
                <License key={credential.id} credential={credential} />
              ))}
              {listing && credentials.length === 0 && (
                <Fact name={m.provider_status_license()}>{m.provider_status_license_none()}</Fact>
              )}
              {application && (
                <Fact name={m.provider_status_application()}>
                  <Link to={`/admin/applications/${application.id}`} className={linked}>
                    {applicationStatusTexts[application.status]()}
                  </Link>
                  <span className="block text-quiet">
                    {m.provider_status_application_sent({
                      date: longDateText(application.submittedAt, ownZone),
                    })}
                  </span>
                </Fact>
              )}
            </dl>
          </Section>
        )
      }
    </Fetched>
  );
}

const linked = '-my-3 py-3 text-primary hover:underline';

function Listing({
  listing: { slug, title, listed, revokedAt },
}: {
  listing: NonNullable<Status['listing']>;
}) {
  const ownZone = useOwnZone();
  return (
    <Fact name={m.provider_status_listing()}>
      {title}
      <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        {revokedAt ? (
          <Badge tone="clay">{m.provider_status_revoked({ date: longDateText(revokedAt, ownZone) })}</Badge>
        ) : (
          <Badge tone={listed ? 'sage' : 'neutral'}>
            {listed ? m.provider_status_listed() : m.provider_status_hidden()}
          </Badge>
        )}
        {listed && (
          <Link to={`/therapists/${slug}`} className={linked}>
            {m.site_nav_practice()}
          </Link>
        )}
      </span>
    </Fact>
  );
}

const states = {
  pending: { tone: 'gold', text: m.provider_status_license_pending },
  approved: { tone: 'sage', text: m.provider_status_license_approved },
  rejected: { tone: 'clay', text: m.provider_status_license_rejected },
} as const;

function License({ credential }: { credential: OwnCredential }) {
  const { kind, number, issuer, region, expiresOn, expired, state } = credential;
  const { tone, text } = expired
    ? { tone: 'clay' as const, text: m.provider_status_license_expired }
    : states[state];
  return (
    <Fact name={credentialKindText(kind)}>
      {number}, {issuer}, {region}
      <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
        <Badge tone={tone}>{text()}</Badge>
        {credentialEndText(expiresOn)}
      </span>
      {state === 'pending' && (
        <Link to="/admin/moderation?tab=credentials" className={linked}>
          {m.provider_status_license_review()}
        </Link>
      )}
    </Fact>
  );
}
