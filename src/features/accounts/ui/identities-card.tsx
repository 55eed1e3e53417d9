import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { useNearZone } from '#/web/own-zone.tsx';
import { momentText } from '#/web/times.ts';
import type { IdentityView } from '../linked-identities/contract.ts';
import { walletProvider } from '../openid/rules.ts';
import { identityErrorText } from './identity-call.ts';
import type { ReturnState } from './provider-return.tsx';
import { useSite } from './session.tsx';
import { RowAction, SettingRow } from './setting-row.tsx';

const WalletButtons = lazyPart(async () => (await import('./wallet-sign-in.tsx')).WalletButtons);

const failures: FailureTexts = {
  identity: m.web_gone,
  identity_taken: m.identities_taken,
  provider_connected: m.identities_exists,
  last_way_in: m.identities_last_way_in,
};

export function IdentitiesCard() {
  const queries = useQueryClient();
  const { providers, walletSignIn } = useSite();
  const hydrated = useHydrated();
  const zone = useNearZone();
  const heading = useRef<HTMLHeadingElement>(null);
  const [removed, setRemoved] = useState<IdentityView | null>(null);
  const query = useQuery(api.identities.list.queryOptions());
  useLiveQueries(api.identities.list.key(), 'accounts.identities_changed');
  const changed = (title: string, identities: IdentityView[]) => {
    queries.setQueryData(api.identities.list.queryKey(), identities);
    setRemoved(null);
    toast.done(title);
    // The pressed button may no longer exist.
    heading.current?.focus();
  };
  const connected = (identities: IdentityView[], provider: string) => {
    const label = identities.find((one) => one.provider === provider)?.label ?? provider;
    changed(m.identities_connected({ label }), identities);
  };
  const onError = (error: unknown) =>
    toast.failed(m.identities_connect_failed(), identityErrorText(error, failures));
  const begin = useMutation({
    ...api.identities.begin.mutationOptions(),
    onSuccess: ({ continueAt }) => window.location.assign(continueAt),
    onError,
  });
  const connect = useMutation({
    ...api.identities.connect.mutationOptions(),
    onSuccess: (identities, { provider }) => connected(identities, provider),
    onError,
  });
  useAnswer(connect.mutate);
  if (providers.length === 0 && !walletSignIn && !query.data?.length) return null;
  const isConnected = (id: string) => query.data?.some(({ provider }) => provider === id);
  const connectable = providers.filter(({ id }) => !isConnected(id));

  return (
    <SettingRow title={m.identities_list()} heading={heading} text={m.identities_about()}>
      <Fetched query={query} failure={m.identities_load_failed()} skeleton={<Skeleton className="h-12" />}>
        {(identities) => (
          <>
            <ul
              aria-label={m.identities_list()}
              hidden={identities.length === 0}
              className="mb-3 divide-y divide-line"
            >
              {identities.map((identity) => (
                <li key={identity.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                  <IconTile hue="sea">
                    <Link2 />
                  </IconTile>
                  <div className="min-w-0 flex-1 basis-40">
                    <p className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
                      {identity.label}
                      {identity.provider === null && <Badge>{m.identities_gone()}</Badge>}
                    </p>
                    {identity.email !== null && <p className="wrap-anywhere">{identity.email}</p>}
                    <p className="text-sm text-quiet">{datesText(identity, zone)}</p>
                  </div>
                  <RowAction about={identity.label} onClick={() => setRemoved(identity)}>
                    {m.identities_disconnect()}
                  </RowAction>
                </li>
              ))}
            </ul>
            <div className="flex flex-wrap gap-2">
              {connectable.map(({ id, label }) => (
                <Button
                  key={id}
                  variant="secondary"
                  disabled={!hydrated}
                  busy={connect.isPending || (begin.isPending && begin.variables.provider === id)}
                  onClick={() => begin.mutate({ provider: id })}
                >
                  {m.identities_connect({ label })}
                </Button>
              ))}
              {walletSignIn && hydrated && !isConnected(walletProvider) && (
                <WalletButtons
                  label={m.identities_connect_wallet()}
                  labelOf={m.identities_connect}
                  none={<p className="text-quiet">{m.identities_no_wallet()}</p>}
                  newMessage={async (address) => (await api.identities.beginWallet.call({ address })).message}
                  onSigned={async (signed) =>
                    connected(await api.identities.connectWallet.call(signed), walletProvider)
                  }
                  onFailed={(text) => toast.failed(m.identities_connect_failed(), text)}
                  failures={failures}
                />
              )}
            </div>
          </>
        )}
      </Fetched>
      {removed && (
        <ConfirmAction
          act={() => api.identities.remove.call({ id: removed.id })}
          onDone={(left) => changed(m.identities_disconnected({ label: removed.label }), left)}
          failedTitle={m.identities_disconnect_failed()}
          failureText={(error) => failureText(error, failures)}
          onClose={() => setRemoved(null)}
          title={m.identities_disconnect_title({ label: removed.label })}
          description={m.identities_disconnect_text()}
          confirmLabel={m.identities_disconnect()}
        />
      )}
    </SettingRow>
  );
}

/** Connects, once, what `ProviderReturn` left in history. */
function useAnswer(connect: (answer: ReturnState['providerAnswer']) => void): void {
  const location = useLocation();
  const navigate = useNavigate();
  const tried = useRef(false);
  useEffect(() => {
    const answer = (location.state as Partial<ReturnState> | null)?.providerAnswer;
    if (!answer || tried.current) return;
    tried.current = true;
    void navigate(`${location.pathname}${location.search}`, { replace: true, state: null });
    connect(answer);
  });
}

function datesText({ createdAt, usedAt }: IdentityView, zone: string): string {
  const since = m.identities_connected_since({ when: momentText(createdAt, zone) });
  const used = usedAt ? m.web_last_used({ when: momentText(usedAt, zone) }) : m.web_not_used();
  return `${since} · ${used}`;
}
