import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import limits from 'virtual:limits/apiTokens.create';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { FailureTexts } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { useNearZone } from '#/web/own-zone.tsx';
import { scopesFor } from '../api-tokens/rules.ts';
import { TokenDialogs, TokenList, type OpenDialog } from './api-token-parts.tsx';
import { useSite, useViewer } from './session.tsx';
import { RowAction, SettingRow } from './setting-row.tsx';

const failures: FailureTexts = {
  api_token: m.web_gone,
  feature_off: m.api_tokens_off,
  too_many_api_tokens: m.api_tokens_full,
};

export function ApiTokensCard() {
  const queries = useQueryClient();
  const { flags } = useSite();
  const hydrated = useHydrated();
  const viewer = useViewer();
  const zone = useNearZone();
  const heading = useRef<HTMLHeadingElement>(null);
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const query = useQuery(api.apiTokens.list.queryOptions());
  useLiveQueries(api.apiTokens.list.key(), 'accounts.api_tokens_changed');
  const offered = viewer && flags.includes('mobile_app_access') ? scopesFor(viewer.role) : [];
  if (offered.length === 0 && !query.data?.length) return null;

  return (
    <SettingRow
      title={m.api_tokens_list()}
      heading={heading}
      text={offered.length > 0 ? m.api_tokens_about() : m.api_tokens_off()}
      action={
        offered.length > 0 && (
          <RowAction disabled={!hydrated} onClick={() => setOpened({ kind: 'create' })}>
            {m.api_tokens_create()}
          </RowAction>
        )
      }
    >
      <Fetched query={query} failure={m.api_tokens_load_failed()} skeleton={<Skeleton className="h-12" />}>
        {(tokens) =>
          tokens.length > 0 && (
            <TokenList
              tokens={tokens}
              zone={zone}
              onRevoke={(token) => setOpened({ kind: 'revoke', token })}
            />
          )
        }
      </Fetched>
      <TokenDialogs
        opened={opened}
        onOpen={setOpened}
        {...{ offered, limits, failures }}
        create={({ scopes, ...wanted }) =>
          api.apiTokens.create.call({ ...wanted, scopes: offered.filter((one) => scopes.includes(one)) })
        }
        onCreated={() => void queries.invalidateQueries({ queryKey: api.apiTokens.list.key() })}
        revoke={api.apiTokens.revoke.call}
        onRevoked={(left) => {
          queries.setQueryData(api.apiTokens.list.queryKey(), left);
          setOpened(null);
          toast.done(m.api_tokens_revoked());
          // The pressed button no longer exists.
          heading.current?.focus();
        }}
      />
    </SettingRow>
  );
}
