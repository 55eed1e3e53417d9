import { KeySquare } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Scope } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { Limits } from '#/web/limits.ts';
import { newKey } from '#/web/request-key.ts';
import { mediumDateText, momentText } from '#/web/times.ts';
import type { ApiTokenView, MadeApiToken } from '../api-tokens/contract.ts';
import { tokenDays } from '../api-tokens/rules.ts';
import { scopesText, scopeTexts } from './api-token-text.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { RowAction } from './setting-row.tsx';

export function TokenList<Token extends ApiTokenView>({
  tokens,
  zone,
  createdText = ({ createdAt }) => m.api_tokens_created({ when: mediumDateText(createdAt, zone) }),
  onRevoke,
}: {
  tokens: readonly Token[];
  zone: string;
  createdText?: (token: Token) => ReactNode;
  onRevoke: (token: Token) => void;
}) {
  return (
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
              <span>{createdText(token)}</span>
              <span>
                {token.usedAt ? m.web_last_used({ when: momentText(token.usedAt, zone) }) : m.web_not_used()}
              </span>
              <span>{m.api_tokens_expires({ when: mediumDateText(token.expiresAt, zone) })}</span>
            </p>
          </div>
          <RowAction about={token.name} onClick={() => onRevoke(token)}>
            {m.api_tokens_revoke()}
          </RowAction>
        </li>
      ))}
    </ul>
  );
}

interface TypedToken {
  name: string;
  scopes: Scope[];
  days: number;
}

export type OpenDialog =
  | { kind: 'create' }
  | { kind: 'made'; made: MadeApiToken }
  | { kind: 'revoke'; token: ApiTokenView };

export function TokenDialogs<Left>({
  opened,
  onOpen,
  offered,
  limits,
  failures,
  create,
  onCreated,
  revoke,
  onRevoked,
}: {
  opened: OpenDialog | null;
  onOpen: (next: OpenDialog | null) => void;
  offered: readonly Scope[];
  limits: Limits;
  failures: FailureTexts;
  create: (wanted: TypedToken & { id: string }) => Promise<MadeApiToken>;
  onCreated: () => void;
  revoke: (token: { id: string }) => Promise<Left>;
  onRevoked: (left: Left) => void;
}) {
  const close = () => onOpen(null);
  if (opened?.kind === 'create')
    return (
      <CreateDialog
        {...{ offered, limits, failures, create }}
        onMade={(made) => {
          onCreated();
          onOpen({ kind: 'made', made });
        }}
        onClose={close}
      />
    );
  if (opened?.kind === 'made') return <MadeDialog made={opened.made} onClose={close} />;
  if (opened?.kind !== 'revoke') return null;
  return (
    <ConfirmAction
      act={() => revoke({ id: opened.token.id })}
      onDone={onRevoked}
      failedTitle={m.api_tokens_revoke_failed()}
      failureText={(error) => failureText(error, failures)}
      onClose={close}
      title={m.api_tokens_revoke_title({ name: opened.token.name })}
      description={m.api_tokens_revoke_text()}
      confirmLabel={m.api_tokens_revoke()}
    />
  );
}

function CreateDialog({
  offered,
  limits,
  failures,
  create,
  onMade,
  onClose,
}: {
  offered: readonly Scope[];
  limits: Limits;
  failures: FailureTexts;
  create: (wanted: TypedToken & { id: string }) => Promise<MadeApiToken>;
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
    save: async (typed) => onMade(await create({ id, ...inputOf(typed) })),
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

function inputOf({ days, ...rest }: { name: string; scopes: Scope[]; days: string }): TypedToken {
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
