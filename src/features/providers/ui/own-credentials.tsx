import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { Specialist } from '../contract.ts';
import type { OwnCredential } from '../credentials/contract.ts';
import { CredentialForm, type Begun } from './credential-form.tsx';
import { credentialEndText, credentialKindText } from './credential-texts.ts';
import { providerFailureText } from './failure-text.ts';

export function OwnCredentials({ kind }: { kind: Specialist['kind'] }) {
  const api = useApi();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'providers.credentials_changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.providers.credentials.mine.key() });
  });
  const query = useQuery(api.providers.credentials.mine.queryOptions());
  return (
    <section aria-labelledby="own-credentials">
      <h2 id="own-credentials" tabIndex={-1} className="rounded-control text-xl">
        {m.credentials_title()}
      </h2>
      <p className="mt-1 mb-5 max-w-reading text-quiet">{m.credentials_text()}</p>
      <Fetched query={query} label={m.credentials_loading()} failure={m.credentials_waiting_failed()}>
        {(credentials) => <List kind={kind} credentials={credentials} />}
      </Fetched>
    </section>
  );
}

function List({ kind, credentials }: { kind: Specialist['kind']; credentials: readonly OwnCredential[] }) {
  const [form, setForm] = useState<Begun | null>(null);
  const waiting = credentials.some(({ state }) => state === 'pending');
  const approved = credentials.some(({ state, expired }) => state === 'approved' && !expired);
  return (
    <>
      {!approved && <p className="mb-4">{m.credentials_none()}</p>}
      {credentials.length > 0 && (
        <ul className="mb-5 grid max-w-3xl gap-4">
          {credentials.map((credential) => (
            <li key={credential.id}>
              <Entry credential={credential} waiting={waiting} onChange={setForm} />
            </li>
          ))}
        </ul>
      )}
      {waiting ? (
        <p className="max-w-reading text-quiet">{m.credentials_one_waits()}</p>
      ) : (
        <Button
          variant="secondary"
          onClick={() =>
            setForm({
              kind: kind === 'doctor' ? 'licence' : 'ordination',
              number: '',
              issuer: '',
              region: '',
              expiresOn: null,
              replaces: null,
            })
          }
        >
          <Plus aria-hidden />
          {m.credentials_add()}
        </Button>
      )}
      {form && <CredentialForm begun={form} onClose={() => setForm(null)} />}
    </>
  );
}

const states = {
  pending: { tone: 'gold', text: m.credentials_state_pending },
  approved: { tone: 'sage', text: m.credentials_state_approved },
  rejected: { tone: 'clay', text: m.credentials_state_rejected },
  expired: { tone: 'clay', text: m.credentials_state_expired },
} as const;

function Entry({
  credential,
  waiting,
  onChange,
}: {
  credential: OwnCredential;
  waiting: boolean;
  onChange: (begun: Begun) => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const { id, kind, number, issuer, region, expiresOn, state, expired, reason } = credential;
  const { tone, text } = states[expired ? 'expired' : state];
  const withdraw = useMutation({
    ...api.providers.credentials.withdraw.mutationOptions(),
    onSuccess: () => toast({ tone: 'success', title: m.credentials_withdrawn() }),
    onSettled: () => queries.invalidateQueries({ queryKey: api.providers.credentials.key() }),
  });
  const about = <VisuallyHidden> {issuer}</VisuallyHidden>;
  return (
    <Card as="article" aria-label={issuer}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 text-lg wrap-anywhere">
          {credentialKindText(kind)}: {issuer}
        </h3>
        <Badge tone={tone}>{text()}</Badge>
      </div>
      <p className="mt-1 wrap-anywhere">
        {region} · {m.credentials_number()} {number}
      </p>
      <p className="text-sm text-quiet">{credentialEndText(expiresOn)}</p>
      {reason && (
        <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 text-sm wrap-anywhere whitespace-pre-line">
          {m.credentials_reason({ reason })}
        </p>
      )}
      {withdraw.isError && (
        <Notice tone="destructive" title={m.credentials_problem_other()} className="mt-3">
          {providerFailureText(withdraw.error)}
        </Notice>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {state === 'approved' && !waiting && (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => onChange({ kind, number, issuer, region, expiresOn, replaces: id })}
          >
            <span>
              {m.credentials_edit()}
              {about}
            </span>
          </Button>
        )}
        {state === 'rejected' && !waiting && (
          <Button
            variant="secondary"
            size="sm"
            onClick={() =>
              onChange({ kind, number, issuer, region, expiresOn, replaces: credential.replaces })
            }
          >
            <span>
              {m.credentials_again()}
              {about}
            </span>
          </Button>
        )}
        {state !== 'approved' && (
          <Button
            variant="quiet"
            size="sm"
            busy={withdraw.isPending}
            onClick={() => withdraw.mutate({ credentialId: id })}
          >
            <span>
              {state === 'pending' ? m.credentials_withdraw() : m.credentials_put_away()}
              {about}
            </span>
          </Button>
        )}
      </div>
    </Card>
  );
}
