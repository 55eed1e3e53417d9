import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, PasswordInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { longDateText } from '#/web/times.ts';
import type { Viewer } from '../contract.ts';
import { graceDays, kept } from '../deletion/rules.ts';
import { accountFailureText } from './failure-text.ts';
import { useSession } from './session.tsx';

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
  const api = useApi();
  const { refresh } = useSession();
  const { toast } = useToast();
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string | null>(null);

  const showError = (sentence: string) => {
    flushSync(() => setError(sentence));
    input.current?.focus();
  };
  const remove = useMutation({
    ...api.deletion.request.mutationOptions(),
    onSuccess: async ({ deleteAfter }) => {
      onOpenChange(false);
      setPassword('');
      await refresh();
      // The button that opened the dialog no longer exists.
      document.getElementById('content')?.focus();
      toast({
        title: m.accounts_deletion_banner({ date: longDateText(deleteAfter, viewer.timeZone) }),
        description: m.accounts_deletion_requested(),
      });
    },
    onError: (failure) => {
      const reason = failureReason(failure);
      if (reason === 'wrong_password' || reason === 'fields') showError(m.accounts_deletion_wrong_password());
      else if (reason === 'last_administrator') setProblem(m.accounts_deletion_last_administrator());
      else setProblem(accountFailureText(failure));
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (remove.isPending) return;
    setProblem(null);
    setError(undefined);
    if (password === '') showError(m.accounts_field_password_required());
    else remove.mutate({ password });
  };
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
          <Button variant="destructive" type="submit" form={formId} busy={remove.isPending}>
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
        <form id={formId} onSubmit={submit} noValidate className="grid gap-4">
          {/* Password managers need the username. */}
          <input type="hidden" name="username" autoComplete="username" value={viewer.email} readOnly />
          <Field label={m.accounts_deletion_password()} error={error}>
            <PasswordInput
              ref={input}
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          {problem && <Notice tone="destructive" title={problem} />}
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
