import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { TextField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import type { Viewer } from '../contract.ts';
import type { EmailChange } from '../email-change/contract.ts';
import { typedErrors } from './field-errors.ts';
import { identityFailures } from './identity-call.ts';
import { RowAction, SettingRow } from './setting-row.tsx';

export const emailChangeFailures: FailureTexts = {
  ...identityFailures,
  administrator_address: m.email_change_administrator,
  email_unverified: m.email_change_unverified,
  email_change: m.email_change_gone,
};

export function EmailCard({ viewer }: { viewer: Viewer }) {
  const queries = useQueryClient();
  const hydrated = useHydrated();
  const heading = useRef<HTMLHeadingElement>(null);
  const [changing, setChanging] = useState(false);
  const query = useQuery(api.emailChange.get.queryOptions());
  useLiveQueries(api.emailChange.get.key(), 'accounts.profile_changed');
  const take = (change: EmailChange | null) => queries.setQueryData(api.emailChange.get.queryKey(), change);
  const close = () => setChanging(false);

  return (
    <SettingRow
      title={m.accounts_email()}
      heading={heading}
      text={viewer.email}
      action={
        viewer.role !== 'super_admin' && (
          <RowAction disabled={!hydrated} onClick={() => setChanging(true)}>
            {m.email_change_action()}
          </RowAction>
        )
      }
    >
      <Fetched query={query} failure={m.email_change_load_failed()} skeleton={<Skeleton className="h-0" />}>
        {(change) =>
          change && (
            <Waiting
              change={change}
              former={viewer.email}
              onChange={(next) => {
                take(next);
                if (next) return;
                toast.done(m.email_change_canceled());
                // The pressed button no longer exists.
                heading.current?.focus();
              }}
            />
          )
        }
      </Fetched>
      {changing && (
        <ChangeDialog
          onRequested={(change) => {
            take(change);
            close();
          }}
          onClose={close}
        />
      )}
    </SettingRow>
  );
}

function Waiting({
  change: { address, formerConfirmed, newConfirmed },
  former,
  onChange,
}: {
  change: EmailChange;
  former: string;
  onChange: (change: EmailChange | null) => void;
}) {
  const resend = useMutation({
    ...api.emailChange.resend.mutationOptions(),
    onSuccess: (change) => {
      onChange(change);
      toast.done(m.email_change_sent());
    },
  });
  const cancel = useMutation({ ...api.emailChange.cancel.mutationOptions(), onSuccess: onChange });
  const one = formerConfirmed || newConfirmed;
  return (
    <div className="space-y-3 pt-1">
      <Notice
        title={one ? m.email_change_waiting_one_title() : m.email_change_waiting_title()}
        className="break-words"
      >
        {(formerConfirmed
          ? m.email_change_waiting_new
          : newConfirmed
            ? m.email_change_waiting_former
            : m.email_change_waiting)({ former, address })}
      </Notice>
      <div className="flex flex-wrap gap-3">
        <RowAction
          busy={resend.isPending}
          disabled={cancel.isPending}
          onClick={() => {
            cancel.reset();
            resend.mutate({});
          }}
        >
          {m.email_change_resend()}
        </RowAction>
        <RowAction
          busy={cancel.isPending}
          disabled={resend.isPending}
          onClick={() => {
            resend.reset();
            cancel.mutate({});
          }}
        >
          {m.email_change_cancel()}
        </RowAction>
      </div>
      <FailureAlert title={m.email_change_resend_failed()} text={resend.error && reasonText(resend.error)} />
      <FailureAlert title={m.email_change_cancel_failed()} text={cancel.error && reasonText(cancel.error)} />
    </div>
  );
}

function ChangeDialog({
  onRequested,
  onClose,
}: {
  onRequested: (change: EmailChange) => void;
  onClose: () => void;
}) {
  const form = useForm({
    values: { email: '' },
    check: typedErrors,
    sentence,
    failureText: reasonText,
    save: async (typed) => onRequested(await api.emailChange.request.call(typed)),
  });
  return (
    <FormDialog
      title={m.email_change_action()}
      description={m.email_change_text()}
      submitLabel={m.email_change_submit()}
      failedTitle={m.email_change_failed()}
      form={form}
      onClose={onClose}
    >
      <TextField label={m.email_change_field()} {...form.field('email')} type="email" autoComplete="email" />
    </FormDialog>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field !== 'email') return undefined;
  return reason === 'same_address' ? m.email_change_same() : m.web_email_bad();
}

function reasonText(error: unknown): string {
  return failureText(error, emailChangeFailures);
}
