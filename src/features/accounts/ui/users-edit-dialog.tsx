import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import limits from 'virtual:limits/directory.edit';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, TextInput, TextField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { longDateText } from '#/web/times.ts';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import type { OpenedUser } from '../users/contract.ts';
import { useViewer } from './session.tsx';
import { type UserDialogProps, userFailureText } from './users-texts.ts';

export function EditUserDialog({ user, onClose }: UserDialogProps) {
  const queries = useQueryClient();
  const viewer = useViewer();
  const offers = useMemo(() => timeZoneOffers(), []);
  const [base, setBase] = useState(user);
  const [stale, setStale] = useState(false);
  const administrator = base.role === 'super_admin';
  const specialist = isProvider(base.role);
  const form = useForm({
    values: valuesOf(base),
    limits,
    sentence,
    failureText: userFailureText,
    save: async ({ fullName, email, timeZone }) => {
      setStale(false);
      try {
        const input = { userId: base.id, version: base.version, fullName, email };
        const zone = timeZone && !specialist ? { timeZone } : {};
        const saved = await api.directory.edit.call({ ...input, ...zone });
        queries.setQueryData(api.directory.open.queryKey({ input: { userId: base.id } }), saved);
        onClose();
        toast.done(
          m.users_saved(),
          saved.email === base.email
            ? m.users_saved_text({ name: saved.name })
            : m.users_saved_address({ name: saved.name }),
        );
      } catch (error) {
        setStale(failureReason(error) === 'changed_meanwhile');
        throw error;
      }
    },
  });
  const { field, choice, errorOf } = form;
  const open = useMutation({
    mutationFn: () => api.directory.open.call({ userId: base.id }),
    onSuccess: (now) => {
      setBase(now);
      form.reset(valuesOf(now));
      setStale(false);
    },
    onError: (error) => toast.failed(m.web_load_failed(), userFailureText(error)),
  });

  return (
    <FormDialog title={m.users_edit()} submitLabel={m.settings_save()} form={form} onClose={onClose}>
      <TextField label={m.web_name()} {...field('fullName')} autoComplete="off" required />
      <TextField
        label={m.users_field_email()}
        hint={administrator ? m.users_field_email_administrator() : m.users_field_email_hint()}
        {...field('email')}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={administrator}
        required
      />
      {base.heldUntil && (
        <p className="text-sm text-quiet">
          {m.users_field_email_held({ date: longDateText(base.heldUntil, viewer?.timeZone ?? null) })}
        </p>
      )}
      {!base.emailVerified && <p className="text-sm text-quiet">{m.users_field_email_unverified()}</p>}
      <Field
        label={m.users_field_zone()}
        {...(specialist
          ? { hint: m.users_field_zone_specialist() }
          : base.timeZone
            ? {}
            : { hint: m.users_field_zone_none() })}
        error={errorOf('timeZone')}
      >
        {specialist ? (
          <TextInput value={zoneName(choice('timeZone').value)} disabled />
        ) : (
          <Combobox {...choice('timeZone')} autoComplete="off" offers={offers} />
        )}
      </Field>
      {stale && (
        <Notice>
          <Button variant="secondary" size="sm" busy={open.isPending} onClick={() => open.mutate()}>
            {m.users_show_stored()}
          </Button>
        </Notice>
      )}
    </FormDialog>
  );
}

function valuesOf({ name, email, timeZone }: OpenedUser) {
  return { fullName: name, email, timeZone: timeZone ? presentZone(timeZone) : '' };
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'fullName') return reason === 'required' ? m.web_name_missing() : m.web_text_bad();
  if (field === 'timeZone') return m.web_zone_bad();
  if (field !== 'email') return undefined;
  if (reason === 'required') return m.users_email_required();
  return reason === 'address_taken' ? m.users_email_taken() : m.users_email_bad();
}
