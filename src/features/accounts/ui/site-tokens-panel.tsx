import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import limits from 'virtual:limits/siteTokens.create';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { FailureTexts } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { mediumDateText } from '#/web/times.ts';
import { siteScopesFor } from '../api-tokens/rules.ts';
import { TokenDialogs, TokenList, type OpenDialog } from './api-token-parts.tsx';
import { useSite, useViewer } from './session.tsx';

const failures: FailureTexts = {
  api_token: m.web_gone,
  feature_off: m.site_tokens_off,
  too_many_api_tokens: m.site_tokens_full,
};

export function SiteTokensPanel() {
  const queries = useQueryClient();
  const { flags } = useSite();
  const viewer = useViewer();
  const zone = useOwnZone();
  const headingId = useId();
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const query = useQuery(api.siteTokens.list.queryOptions());
  useLiveQueries(api.siteTokens.list.key(), 'accounts.site_tokens_changed');
  const offered = viewer && flags.includes('mobile_app_access') ? siteScopesFor(viewer.role) : [];

  return (
    <Section
      level="h3"
      title={m.site_tokens_list()}
      titleId={headingId}
      titleClassName="text-lg"
      focusable
      className="mt-10 max-sm:mt-7"
    >
      <div className="mt-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64">
          {offered.length > 0 ? m.site_tokens_about() : m.site_tokens_off()}
        </p>
        {offered.length > 0 && (
          <Button variant="secondary" onClick={() => setOpened({ kind: 'create' })}>
            {m.api_tokens_create()}
          </Button>
        )}
      </div>
      <div className="mt-3">
        <Fetched query={query} failure={m.site_tokens_load_failed()}>
          {(tokens) =>
            tokens.length === 0 ? (
              <p className="text-quiet">{m.site_tokens_none()}</p>
            ) : (
              <TokenList
                tokens={tokens}
                zone={zone}
                createdText={({ createdAt, madeBy }) =>
                  m.site_tokens_created({
                    when: mediumDateText(createdAt, zone),
                    name: madeBy?.name ?? m.web_erased_account(),
                  })
                }
                onRevoke={(token) => setOpened({ kind: 'revoke', token })}
              />
            )
          }
        </Fetched>
      </div>
      <TokenDialogs
        opened={opened}
        onOpen={setOpened}
        {...{ offered, limits, failures }}
        create={({ scopes, ...wanted }) =>
          api.siteTokens.create.call({ ...wanted, scopes: offered.filter((one) => scopes.includes(one)) })
        }
        onCreated={() => void queries.invalidateQueries({ queryKey: api.siteTokens.list.key() })}
        revoke={api.siteTokens.revoke.call}
        onRevoked={(left) => {
          queries.setQueryData(api.siteTokens.list.queryKey(), left);
          setOpened(null);
          toast.done(m.api_tokens_revoked());
          // The pressed button no longer exists.
          document.getElementById(headingId)?.focus();
        }}
      />
    </Section>
  );
}
