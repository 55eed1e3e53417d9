import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import type { FlagScope, FlagView } from '../flags/contract.ts';
import { isOffered, mostPeople, rolesFor } from '../flags/rules.ts';
import { flagFailure, isOutdated, roleText, scopeText, stateText } from './flag-texts.ts';

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
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [opened] = useState(flag.version);
  const [scope, setScope] = useState<FlagScope>(flag.scope);
  const [roles, setRoles] = useState<Role[]>(flag.roles);
  const [personIds, setPersonIds] = useState<string[]>(flag.personIds);
  const saving = useFormSaving(refusedTexts, flagFailure);
  const offered = isOffered(flag.id);

  const save = async () => {
    try {
      const { id: flagId, version } = flag;
      const flags = await api.flags.setScope.call({ flagId, version, scope, roles, personIds });
      // Cancels older fetches, which would restore old data.
      await queries.cancelQueries({ queryKey: api.flags.list.key() });
      queries.setQueryData(api.flags.list.queryKey(), flags);
    } catch (error) {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: api.flags.list.key() });
      throw error;
    }
    toast({
      tone: 'success',
      title: m.flags_scope_saved_title(),
      description: m.flags_scope_saved_text({ name: flag.name }),
    });
    onClose();
  };

  return (
    <FormDialog
      title={m.flags_scope_title({ name: flag.name })}
      description={offered ? m.flags_scope_offered() : m.flags_scope_text()}
      submitLabel={m.flags_scope_save()}
      failedTitle={m.flags_failed_title()}
      saving={saving}
      onClose={onClose}
      onSubmit={(event) => void saving.submit(event, missingIn({ scope, roles, personIds }), save)}
    >
      {flag.version !== opened && (
        <Notice title={m.flags_changed_title()}>{m.flags_changed_text({ state: stateText(flag) })}</Notice>
      )}
      <ChoiceGroup
        legend={m.flags_scope_legend()}
        name="scope"
        value={scope}
        onChange={setScope}
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
          error={saving.errors['roles']}
          choices={rolesFor(flag.id).map((value) => ({ value, label: roleText[value]() }))}
          value={roles}
          onChange={setRoles}
        />
      )}
      {scope === 'user_specific' &&
        peoplePicker({
          legend: offered ? m.flags_providers_legend() : m.flags_people_legend(),
          value: personIds,
          onChange: setPersonIds,
          providersOnly: offered,
          error: saving.errors['personIds'],
        })}
    </FormDialog>
  );
}

function missingIn({ scope, roles, personIds }: Pick<FlagView, 'scope' | 'roles' | 'personIds'>): FieldTexts {
  if (scope === 'role_based' && roles.length === 0) return { roles: m.flags_roles_missing() };
  if (scope === 'user_specific' && personIds.length === 0) return { personIds: m.flags_people_missing() };
  if (scope === 'user_specific' && personIds.length > mostPeople)
    return { personIds: m.flags_people_too_many({ most: mostPeople }) };
  return {};
}

function refusedTexts(error: unknown): FieldTexts {
  const reason = failureReason(error);
  if (reason === 'unknown') return { personIds: m.flags_people_unknown() };
  return reason === 'providers_only' ? { personIds: m.flags_people_providers_only() } : {};
}
