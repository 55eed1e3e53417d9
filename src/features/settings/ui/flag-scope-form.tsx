import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import limits from 'virtual:limits/flags.setScope';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason, type FieldTexts } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { FlagView } from '../flags/contract.ts';
import { isOffered, rolesFor } from '../flags/rules.ts';
import { flagFailure, isOutdated, roleText, scopeText, stateText } from './flag-texts.ts';

type Values = Pick<FlagView, 'scope' | 'roles' | 'personIds'>;

/** Injected, because settings can't import the accounts feature. */
export type PeoplePicker = (props: {
  legend: string;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  providersOnly: boolean;
  error: string | undefined;
}) => ReactNode;

export function FlagScopeForm({
  flag,
  peoplePicker,
  onClose,
}: {
  flag: FlagView;
  peoplePicker: PeoplePicker;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [opened] = useState(flag.version);
  const offered = isOffered(flag.id);

  const save = async (values: Values) => {
    try {
      const flags = await api.flags.setScope.call({ flagId: flag.id, version: flag.version, ...values });
      // Cancels older fetches, which would restore old data.
      await queries.cancelQueries({ queryKey: api.flags.list.key() });
      queries.setQueryData(api.flags.list.queryKey(), flags);
    } catch (error) {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: api.flags.list.key() });
      throw error;
    }
    toast.done(m.flags_scope_saved_title(), m.flags_scope_saved_text({ name: flag.name }));
    onClose();
  };
  const form = useForm<Values>({
    values: { scope: flag.scope, roles: flag.roles, personIds: flag.personIds },
    limits,
    input: ({ scope, personIds }) => (scope === 'user_specific' ? { personIds } : {}),
    sentence,
    check,
    refusedTexts,
    failureText: flagFailure,
    save,
  });
  const { choice, errorOf } = form;
  const scope = form.watch('scope');

  return (
    <FormDialog
      title={m.flags_scope_title({ name: flag.name })}
      description={offered ? m.flags_scope_offered() : undefined}
      submitLabel={m.flags_scope_save()}
      form={form}
      onClose={onClose}
    >
      {flag.version !== opened && (
        <Notice title={m.flags_changed_title()}>{m.flags_changed_text({ state: stateText(flag) })}</Notice>
      )}
      <ChoiceGroup
        legend={m.flags_scope_legend()}
        name="scope"
        {...choice('scope')}
        choices={[
          { value: 'global', label: scopeText.global(), description: m.flags_scope_global_text() },
          { value: 'role_based', label: scopeText.role_based(), description: m.flags_scope_role_text() },
          {
            value: 'user_specific',
            label: scopeText.user_specific(),
            description: m.flags_scope_user_text(),
          },
        ]}
      />
      {scope === 'role_based' && (
        <SeveralChoices
          legend={m.flags_roles_legend()}
          error={errorOf('roles')}
          choices={rolesFor(flag.id).map((value) => ({ value, label: roleText[value]() }))}
          {...choice('roles')}
        />
      )}
      {scope === 'user_specific' &&
        peoplePicker({
          legend: offered ? m.flags_providers_legend() : m.flags_people_legend(),
          ...choice('personIds'),
          providersOnly: offered,
          error: errorOf('personIds'),
        })}
    </FormDialog>
  );
}

/** Roles and people only matter in their scope. */
function check({ scope, roles, personIds }: Values): FieldTexts {
  if (scope === 'role_based' && roles.length === 0) return { roles: m.flags_roles_missing() };
  if (scope === 'user_specific' && personIds.length === 0) return { personIds: m.flags_people_missing() };
  return {};
}

function sentence(field: string, reason: string): string | undefined {
  return field === 'personIds' && reason === 'too_large'
    ? m.flags_people_too_many({ max: limits['personIds']!.max! })
    : undefined;
}

function refusedTexts(error: unknown): FieldTexts {
  const reason = failureReason(error);
  if (reason === 'unknown') return { personIds: m.flags_people_unknown() };
  return reason === 'providers_only' ? { personIds: m.flags_people_providers_only() } : {};
}
