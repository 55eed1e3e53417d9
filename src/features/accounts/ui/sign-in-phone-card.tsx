import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { useNearZone } from '#/web/own-zone.tsx';
import { mediumDateText } from '#/web/times.ts';
import { codeMinutes, isEmailedCode } from '../rules.ts';
import type { SignInPhoneView } from '../sign-in-phone/contract.ts';
import { phoneText } from './field-errors.ts';
import { identityErrorText } from './identity-call.ts';
import { useSite } from './session.tsx';
import { RowAction, SettingRow } from './setting-row.tsx';

const failures: FailureTexts = {
  password_missing: m.sign_in_phone_password_missing,
  phone_exists: m.sign_in_phone_exists,
  phone_taken: m.sign_in_phone_taken,
  sign_in_phone: m.sign_in_phone_gone,
};

type OpenDialog = { kind: 'add' } | { kind: 'confirm'; phone: string } | { kind: 'remove'; phone: string };

export function SignInPhoneCard() {
  const queries = useQueryClient();
  const { textedCode } = useSite();
  const hydrated = useHydrated();
  const zone = useNearZone();
  const heading = useRef<HTMLHeadingElement>(null);
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const query = useQuery(api.signInPhone.get.queryOptions());
  useLiveQueries(api.signInPhone.get.key(), 'accounts.sign_in_phone_changed');
  // Removing works even while texts are off.
  if (!textedCode && !query.data) return null;
  const close = () => setOpened(null);
  const changed = (title: string, phone: SignInPhoneView | null) => {
    queries.setQueryData(api.signInPhone.get.queryKey(), phone);
    close();
    toast.done(title);
    // The pressed button no longer exists.
    heading.current?.focus();
  };

  return (
    <SettingRow
      title={m.sign_in_phone_title()}
      heading={heading}
      text={m.sign_in_phone_about()}
      action={
        query.data === null && (
          <RowAction disabled={!hydrated} onClick={() => setOpened({ kind: 'add' })}>
            {m.sign_in_phone_add()}
          </RowAction>
        )
      }
    >
      <Fetched query={query} failure={m.sign_in_phone_load_failed()} skeleton={<Skeleton className="h-12" />}>
        {(own) =>
          own && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <IconTile hue="sea">
                <Smartphone />
              </IconTile>
              <div className="min-w-40 flex-1">
                <p className="font-semibold">{own.phone}</p>
                <p className="text-sm text-quiet">
                  {m.web_added({ when: mediumDateText(own.createdAt, zone) })}
                </p>
              </div>
              <RowAction onClick={() => setOpened({ kind: 'remove', phone: own.phone })}>
                {m.web_remove()}
              </RowAction>
            </div>
          )
        }
      </Fetched>
      {opened?.kind === 'add' && (
        <NumberDialog onTexted={(phone) => setOpened({ kind: 'confirm', phone })} onClose={close} />
      )}
      {opened?.kind === 'confirm' && (
        <CodeDialog
          phone={opened.phone}
          onAdded={(added) => changed(m.sign_in_phone_added(), added)}
          onClose={close}
        />
      )}
      {opened?.kind === 'remove' && (
        <ConfirmAction
          act={() => api.signInPhone.remove.call({})}
          onDone={() => changed(m.sign_in_phone_removed(), null)}
          failedTitle={m.sign_in_phone_remove_failed()}
          failureText={(error) => failureText(error, failures)}
          onClose={close}
          title={m.sign_in_phone_remove_title({ phone: opened.phone })}
          description={m.identities_disconnect_text()}
          confirmLabel={m.web_remove()}
        />
      )}
    </SettingRow>
  );
}

function NumberDialog({ onTexted, onClose }: { onTexted: (phone: string) => void; onClose: () => void }) {
  const form = useForm({
    values: { phone: '' },
    check: ({ phone }) => (phone.trim() === '' ? { phone: phoneText('required') } : {}),
    sentence: (field, reason) => (field === 'phone' ? phoneText(reason) : undefined),
    failureText: (error) => identityErrorText(error, failures),
    save: async (typed) => onTexted((await api.signInPhone.begin.call(typed)).phone),
  });
  return (
    <FormDialog
      title={m.sign_in_phone_add()}
      description={m.sign_in_phone_add_text()}
      submitLabel={m.accounts_texted_code_link()}
      failedTitle={m.sign_in_phone_add_failed()}
      form={form}
      onClose={onClose}
    >
      <Field label={m.accounts_phone()} error={form.errorOf('phone')}>
        <TextInput {...form.register('phone')} type="tel" autoComplete="tel" />
      </Field>
    </FormDialog>
  );
}

function CodeDialog({
  phone,
  onAdded,
  onClose,
}: {
  phone: string;
  onAdded: (added: SignInPhoneView) => void;
  onClose: () => void;
}) {
  const form = useForm({
    values: { code: '' },
    check: ({ code }) => (isEmailedCode(code) ? {} : { code: m.accounts_texted_code_missing() }),
    sentence: (field) => (field === 'code' ? m.accounts_texted_code_wrong() : undefined),
    failureText: (error) => identityErrorText(error, failures),
    save: async ({ code }) => onAdded(await api.signInPhone.add.call({ phone, code })),
  });
  return (
    <FormDialog
      title={m.sign_in_phone_code_title()}
      description={m.sign_in_phone_code_text({ phone, minutes: codeMinutes })}
      submitLabel={m.sign_in_phone_confirm()}
      failedTitle={m.sign_in_phone_add_failed()}
      form={form}
      onClose={onClose}
    >
      <Field label={m.accounts_code_field()} error={form.errorOf('code')}>
        <TextInput {...form.register('code')} autoComplete="one-time-code" inputMode="numeric" />
      </Field>
    </FormDialog>
  );
}
