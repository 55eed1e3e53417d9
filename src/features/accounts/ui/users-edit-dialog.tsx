import { useMutation } from '@tanstack/react-query';
import { useMemo, useState, type SubmitEvent } from 'react';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { failureReason, fieldTexts } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import { longDateText } from '#/web/times.ts';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import type { OpenedUser } from '../directory/contract.ts';
import { profileLimits } from '../rules.ts';
import { useViewer } from './session.tsx';
import { OpenedFirst, type UserDialogProps } from './users-opened.tsx';
import { userFailureText } from './users-texts.ts';

export function EditUserDialog(props: UserDialogProps) {
  return (
    <OpenedFirst {...props} title={m.users_edit()}>
      {(opened) => <EditForm opened={opened} onClose={props.onClose} />}
    </OpenedFirst>
  );
}

function EditForm({ opened, onClose }: { opened: OpenedUser; onClose: () => void }) {
  const api = useApi();
  const viewer = useViewer();
  const { toast } = useToast();
  const offers = useMemo(() => timeZoneOffers(), []);
  const [base, setBase] = useState(opened);
  const [typed, setTyped] = useState(typedOf(opened));
  const [stale, setStale] = useState(false);
  const edit = useMutation(api.directory.edit.mutationOptions());
  const open = useMutation(api.directory.open.mutationOptions());
  const saving = useFormSaving(refusedTexts, userFailureText);

  const administrator = base.role === 'super_admin';
  const specialist = isProvider(base.role);

  const onSubmit = (event: SubmitEvent) =>
    void saving.submit(event, missingTexts(typed), async () => {
      setStale(false);
      try {
        const { fullName, email, timeZone } = typed;
        const input = { userId: base.id, version: base.version, fullName, email };
        const zone = timeZone && !specialist ? { timeZone } : {};
        const saved = await edit.mutateAsync({ ...input, ...zone });
        onClose();
        toast({
          tone: 'success',
          title: m.users_saved(),
          description:
            saved.email === base.email
              ? m.users_saved_text({ name: saved.name })
              : m.users_saved_address({ name: saved.name }),
        });
      } catch (error) {
        setStale(failureReason(error) === 'changed_meanwhile');
        throw error;
      }
    });
  const showStored = () =>
    open.mutate(
      { userId: base.id },
      {
        onSuccess: (now) => {
          setBase(now);
          setTyped(typedOf(now));
          setStale(false);
        },
      },
    );

  return (
    <FormDialog
      title={m.users_edit()}
      description={m.users_edit_text()}
      submitLabel={m.users_save()}
      failedTitle={m.users_save_failed()}
      saving={saving}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Field label={m.users_field_name()} error={saving.errors.fullName}>
        <TextInput
          name="fullName"
          autoComplete="off"
          maxLength={profileLimits.fullName}
          value={typed.fullName}
          onChange={(event) => setTyped({ ...typed, fullName: event.target.value })}
          required
        />
      </Field>
      <Field
        label={m.users_field_email()}
        hint={administrator ? m.users_field_email_administrator() : m.users_field_email_hint()}
        error={saving.errors.email}
      >
        <TextInput
          name="email"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          readOnly={administrator}
          value={typed.email}
          onChange={(event) => setTyped({ ...typed, email: event.target.value })}
          required
        />
      </Field>
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
        error={saving.errors.timeZone}
      >
        {specialist ? (
          <TextInput value={zoneName(typed.timeZone)} disabled />
        ) : (
          <Combobox
            autoComplete="off"
            value={typed.timeZone}
            onChange={(timeZone) => setTyped({ ...typed, timeZone })}
            offers={offers}
          />
        )}
      </Field>
      {stale && (
        <Notice>
          <Button variant="secondary" size="sm" busy={open.isPending} onClick={showStored}>
            {m.users_show_stored()}
          </Button>
        </Notice>
      )}
    </FormDialog>
  );
}

type Typed = ReturnType<typeof typedOf>;

function typedOf({ name, email, timeZone }: OpenedUser) {
  return { fullName: name, email, timeZone: timeZone ? presentZone(timeZone) : '' };
}

function missingTexts({ fullName, email }: Typed): FieldTexts {
  return {
    ...(fullName.trim() === '' ? { fullName: m.users_name_required() } : {}),
    ...(email.trim() === ''
      ? { email: m.users_email_required() }
      : // Only catches obvious typos; the server validates.
        /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())
        ? {}
        : { email: m.users_email_bad() }),
  };
}

function refusedTexts(error: unknown): FieldTexts {
  const sentences: Partial<Record<string, string>> = {
    fullName: m.users_name_bad(),
    email: failureReason(error) === 'address_taken' ? m.users_email_taken() : m.users_email_bad(),
    timeZone: m.users_zone_bad(),
  };
  return fieldTexts(error, (field) => sentences[field]);
}
