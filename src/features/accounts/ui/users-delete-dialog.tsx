import { useMutation } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { fieldProblems } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import type { OpenedUser } from '../directory/contract.ts';
import { OpenedFirst, type UserDialogProps } from './users-opened.tsx';
import { userFailureText } from './users-texts.ts';

export function DeleteUserDialog(props: UserDialogProps) {
  return (
    <OpenedFirst {...props} title={m.users_delete_title({ name: props.user.name })}>
      {(opened) => <DeleteForm opened={opened} onClose={props.onClose} />}
    </OpenedFirst>
  );
}

function DeleteForm({ opened, onClose }: { opened: OpenedUser; onClose: () => void }) {
  const api = useApi();
  const { toast } = useToast();
  const formId = useId();
  const { id, name, email, hasListing, comingSessions } = opened;
  const remove = useMutation(api.directory.remove.mutationOptions());
  const [typed, setTyped] = useState('');
  const { form, errors, failure, busy, submit } = useFormSaving(refusedTexts, userFailureText);
  const matches = typed.trim().toLowerCase() === email;

  const onSubmit = (event: SubmitEvent) =>
    void submit(event, matches ? {} : { email: m.users_delete_mismatch() }, async () => {
      await remove.mutateAsync({ userId: id, email: typed.trim() });
      onClose();
      toast({ title: m.users_deleted(), description: m.users_deleted_text({ name }) });
    });

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={m.users_delete_title({ name })}
      description={m.users_delete_text()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose} disabled={busy}>
            {m.web_cancel()}
          </Button>
          <Button variant="destructive" type="submit" form={formId} busy={busy}>
            {m.users_delete()}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={onSubmit} className="grid gap-5">
        <section>
          <h3 className="mb-2 text-lg font-semibold">{m.users_delete_lost()}</h3>
          <ul className="list-disc space-y-1 pl-5">
            <li>{m.users_delete_lost_profile()}</li>
            <li>{m.users_delete_lost_words()}</li>
            <li>{m.users_delete_lost_files()}</li>
            {hasListing && <li>{m.users_delete_lost_listing()}</li>}
            {comingSessions > 0 && <li>{m.users_delete_lost_sessions({ count: comingSessions })}</li>}
          </ul>
          <p className="mt-2 text-quiet">{m.users_delete_kept()}</p>
        </section>
        <Field label={m.users_delete_type({ email })} error={errors.email}>
          <TextInput
            name="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            required
          />
        </Field>
        {failure && (
          <Notice tone="destructive" title={m.users_delete_failed()}>
            {failure}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

function refusedTexts(error: unknown): FieldTexts {
  return fieldProblems(error).some(({ field }) => field === 'email')
    ? { email: m.users_delete_mismatch() }
    : {};
}
