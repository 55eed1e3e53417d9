import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeySquare } from 'lucide-react';
import { useRef, useState } from 'react';
import limits from 'virtual:limits/apiTokens.create';
import type { Scope } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { useNearZone } from '#/web/own-zone.tsx';
import { newKey } from '#/web/request-key.ts';
import { mediumDateText, momentText } from '#/web/times.ts';
import type { ApiTokenView, MadeApiToken } from '../api-tokens/contract.ts';
import { scopesFor, tokenDays } from '../api-tokens/rules.ts';
import { scopesText, scopeTexts } from './api-token-text.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { useSite, useViewer } from './session.tsx';
import { RowAction, SettingRow } from './setting-row.tsx';

const failures: FailureTexts = {
  api_token: m.web_gone,
  feature_off: m.api_tokens_off,
  too_many_api_tokens: m.api_tokens_full,
};

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'made'; made: MadeApiToken }
  | { kind: 'revoke'; token: ApiTokenView };

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
  const close = () => setOpened(null);

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
            <ul aria-label={m.api_tokens_list()} className="divide-y divide-line">
              {tokens.map((token) => (
                <li key={token.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                  <IconTile hue="sea">
                    <KeySquare />
                  </IconTile>
                  <div className="min-w-40 flex-1">
                    <p className="font-semibold wrap-anywhere">{token.name}</p>
                    <p>{scopesText(token)}</p>
                    <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
                      {datesOf(token, zone).map((date) => (
                        <span key={date}>{date}</span>
                      ))}
                    </p>
                  </div>
                  <RowAction about={token.name} onClick={() => setOpened({ kind: 'revoke', token })}>
                    {m.api_tokens_revoke()}
                  </RowAction>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      {opened?.kind === 'create' && (
        <CreateDialog
          offered={offered}
          onMade={(made) => {
            void queries.invalidateQueries({ queryKey: api.apiTokens.list.key() });
            setOpened({ kind: 'made', made });
          }}
          onClose={close}
        />
      )}
      {opened?.kind === 'made' && <MadeDialog made={opened.made} onClose={close} />}
      {opened?.kind === 'revoke' && (
        <ConfirmAction
          act={() => api.apiTokens.revoke.call({ id: opened.token.id })}
          onDone={(left) => {
            queries.setQueryData(api.apiTokens.list.queryKey(), left);
            close();
            toast.done(m.api_tokens_revoked());
            // The pressed button no longer exists.
            heading.current?.focus();
          }}
          failedTitle={m.api_tokens_revoke_failed()}
          failureText={(error) => failureText(error, failures)}
          onClose={close}
          title={m.api_tokens_revoke_title({ name: opened.token.name })}
          description={m.api_tokens_revoke_text()}
          confirmLabel={m.api_tokens_revoke()}
        />
      )}
    </SettingRow>
  );
}

function datesOf({ createdAt, usedAt, expiresAt }: ApiTokenView, zone: string): string[] {
  return [
    m.api_tokens_created({ when: mediumDateText(createdAt, zone) }),
    usedAt ? m.web_last_used({ when: momentText(usedAt, zone) }) : m.web_not_used(),
    m.api_tokens_expires({ when: mediumDateText(expiresAt, zone) }),
  ];
}

function CreateDialog({
  offered,
  onMade,
  onClose,
}: {
  offered: readonly Scope[];
  onMade: (made: MadeApiToken) => void;
  onClose: () => void;
}) {
  const [id] = useState(newKey);
  const form = useForm({
    values: { name: '', scopes: [] as Scope[], days: '90' },
    limits,
    input: inputOf,
    sentence: (field, reason) =>
      field === 'scopes'
        ? m.web_choose_one()
        : reason === 'required'
          ? m.web_name_missing()
          : m.web_text_bad(),
    failureText: (error) => failureText(error, failures),
    save: async (typed) => onMade(await api.apiTokens.create.call({ id, ...inputOf(typed) })),
  });
  return (
    <FormDialog
      title={m.api_tokens_create_title()}
      submitLabel={m.api_tokens_create()}
      failedTitle={m.api_tokens_create_failed()}
      form={form}
      onClose={onClose}
    >
      <Field label={m.web_name()} hint={m.api_tokens_name_hint()} error={form.errorOf('name')}>
        <TextInput {...form.register('name')} autoComplete="off" />
      </Field>
      <SeveralChoices
        legend={m.api_tokens_scopes()}
        error={form.errorOf('scopes')}
        choices={offered.map((value) => ({ value, label: scopeTexts[value]() }))}
        {...form.choice('scopes')}
      />
      <ChoiceGroup
        layout="chips"
        legend={m.api_tokens_days()}
        choices={tokenDays.map((days) => ({ value: `${days}`, label: m.api_tokens_days_count({ days }) }))}
        {...form.choice('days')}
      />
    </FormDialog>
  );
}

function inputOf({ days, ...rest }: { name: string; scopes: Scope[]; days: string }) {
  return { ...rest, days: Number(days) };
}

function MadeDialog({ made: { name, token }, onClose }: { made: MadeApiToken; onClose: () => void }) {
  return (
    <SecretDialog
      title={m.api_tokens_ready()}
      description={m.api_tokens_once()}
      kept={{ text: token, file: 'italk-token.txt', copied: m.api_tokens_copied() }}
      after={<p className="text-quiet">{m.api_tokens_once_text()}</p>}
      onClose={onClose}
    >
      <Field label={name}>
        <TextInput readOnly value={token} className="font-mono" />
      </Field>
    </SecretDialog>
  );
}
