import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { mediumDateText, momentText } from '#/web/times.ts';
import type { ApiTokenView } from '../api-tokens/contract.ts';
import type { OpenedUser } from '../users/contract.ts';
import { suspensionReasons, type SuspensionReason } from '../users/rules.ts';
import { scopesText } from './api-token-text.ts';
import { reasonTexts, userFailureText } from './users-texts.ts';

/** API tokens that an administrator can revoke. */
export function UserTokens({ user, onDone }: { user: OpenedUser; onDone: () => void }) {
  const zone = useOwnZone();
  const [revoked, setRevoked] = useState<ApiTokenView | null>(null);
  if (user.apiTokens.length === 0) return null;
  return (
    <Section titleId="api-tokens" title={m.api_tokens_list()} titleClassName="mb-2 text-lg">
      <ul className="grid gap-3 text-sm">
        {user.apiTokens.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <div className="min-w-40 flex-1">
              <p className="font-semibold wrap-anywhere">{token.name}</p>
              <p>{scopesText(token)}</p>
              <p className="text-quiet">
                {token.usedAt ? m.web_last_used({ when: momentText(token.usedAt, zone) }) : m.web_not_used()}
              </p>
              <p className="text-quiet">
                {m.api_tokens_expires({ when: mediumDateText(token.expiresAt, zone) })}
              </p>
            </div>
            <Button about={token.name} variant="secondary" size="sm" onClick={() => setRevoked(token)}>
              {m.api_tokens_revoke()}
            </Button>
          </li>
        ))}
      </ul>
      {revoked && (
        <RevokeDialog
          userId={user.id}
          token={revoked}
          onClose={() => {
            setRevoked(null);
            onDone();
          }}
        />
      )}
    </Section>
  );
}

function RevokeDialog({
  userId,
  token: { id: tokenId, name },
  onClose,
}: {
  userId: string;
  token: ApiTokenView;
  onClose: () => void;
}) {
  const [reason, setReason] = useState<SuspensionReason>('asked');
  return (
    <ConfirmAction
      act={() => api.directory.revokeApiToken.call({ userId, tokenId, reason })}
      onDone={() => {
        onClose();
        toast.done(m.api_tokens_revoked());
      }}
      failedTitle={m.api_tokens_revoke_failed()}
      failureText={userFailureText}
      onClose={onClose}
      title={m.api_tokens_revoke_title({ name })}
      description={m.api_tokens_revoke_text()}
      confirmLabel={m.api_tokens_revoke()}
    >
      <Field label={m.web_reason()} hint={m.users_suspend_reason_hint()}>
        <Select value={reason} onChange={(event) => setReason(event.target.value as SuspensionReason)}>
          <Options of={suspensionReasons} text={(one) => reasonTexts[one]()} />
        </Select>
      </Field>
    </ConfirmAction>
  );
}
