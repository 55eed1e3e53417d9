import { useId, type ReactNode } from 'react';
import limits from 'virtual:limits/deletion.request';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, PasswordInput } from '#/web/components/field.tsx';
import { KnownUsername } from '#/web/components/known-username.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason, failureText } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { longDateText } from '#/web/times.ts';
import type { Viewer } from '../contract.ts';
import { graceDays, kept } from '../deletion/rules.ts';
import { accountFailures } from './failure-text.ts';
import { useSession } from './session.tsx';

const wrongPassword = m.accounts_deletion_wrong_password;

export function DeleteAccountDialog({
  open,
  onOpenChange,
  viewer,
  sessions,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  viewer: Viewer;
  sessions: ReactNode;
}) {
  const { refresh } = useSession();
  const formId = useId();
  const form = useForm({
    values: { password: '' },
    limits,
    sentence: (_, reason) => (reason === 'required' ? m.accounts_field_password_required() : wrongPassword()),
    refusedTexts: (error) =>
      ['wrong_password', 'fields'].includes(failureReason(error) ?? '') ? { password: wrongPassword() } : {},
    failureText: (error) =>
      failureText(error, {
        ...accountFailures,
        last_administrator: m.accounts_deletion_last_administrator,
      }),
    save: async (typed) => {
      const { deleteAfter } = await api.deletion.request.call(typed);
      onOpenChange(false);
      form.reset();
      await refresh();
      // The button that opened it is gone.
      document.getElementById('content')?.focus();
      toast({
        title: m.accounts_deletion_banner({ date: longDateText(deleteAfter, viewer.timeZone) }),
        description: m.accounts_deletion_requested(),
      });
    },
  });
  const specialist = isProvider(viewer.role);

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={m.accounts_deletion_title()}
      description={m.accounts_deletion_text({ days: graceDays })}
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {m.accounts_deletion_keep()}
          </Button>
          <Button variant="destructive" type="submit" form={formId} busy={form.busy}>
            {m.accounts_deletion_confirm()}
          </Button>
        </>
      }
    >
      <div className="grid gap-6">
        <Part title={m.accounts_deletion_lost()}>
          <ul className="list-disc space-y-1 pl-5">
            <li>{m.accounts_deletion_lost_profile()}</li>
            <li>{m.accounts_deletion_lost_words()}</li>
            <li>{m.accounts_deletion_lost_files()}</li>
            {specialist && <li>{m.accounts_deletion_lost_listing()}</li>}
          </ul>
          <p className="mt-2 text-quiet">{m.accounts_deletion_export_first()}</p>
        </Part>
        <Part title={m.accounts_deletion_sessions()}>
          {specialist && <p className="mb-2">{m.accounts_deletion_specialist()}</p>}
          {sessions}
        </Part>
        <Part title={m.accounts_deletion_kept_list()}>
          <dl className="space-y-3">
            {kept.map(({ what, why }) => (
              <div key={what()}>
                <dt>{what()}</dt>
                <dd className="text-quiet">{why()}</dd>
              </div>
            ))}
          </dl>
        </Part>
        <form {...form.props} id={formId} className="grid gap-4">
          <KnownUsername email={viewer.email} />
          <Field label={m.web_your_password()} error={form.errorOf('password')}>
            <PasswordInput {...form.register('password')} autoComplete="current-password" />
          </Field>
          {form.failure && <Notice tone="destructive" title={form.failure} />}
        </form>
      </div>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-lg font-semibold">{title}</h3>
      {children}
    </section>
  );
}
