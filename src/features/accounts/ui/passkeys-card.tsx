import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';
import limits from 'virtual:limits/passkeys.rename';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
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
import { momentText } from '#/web/times.ts';
import type { PasskeyView } from '../passkeys/contract.ts';
import { isUnanswered, isDouble, makePasskey } from './passkey-browser.ts';
import { useSite } from './session.tsx';
import { RowAction, SettingRow } from './setting-row.tsx';

const failures: FailureTexts = {
  passkey: m.web_gone,
  passkey_exists: m.passkeys_exists,
  passkey_expired: m.accounts_error_passkey_expired,
  passkeys_off: m.accounts_error_passkeys_off,
  too_many_passkeys: m.passkeys_full,
  wrong_passkey: m.passkeys_wrong,
  last_way_in: m.identities_last_way_in,
  last_second_step: m.passkeys_last_second_step,
};

type OpenDialog = { kind: 'added' | 'name' | 'remove'; passkey: PasskeyView };

export function PasskeysCard() {
  const queries = useQueryClient();
  const { passkeys: offered } = useSite();
  const hydrated = useHydrated();
  const zone = useNearZone();
  const heading = useRef<HTMLHeadingElement>(null);
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const query = useQuery(api.passkeys.list.queryOptions());
  useLiveQueries(api.passkeys.list.key(), 'accounts.passkeys_changed');
  const add = useMutation({ mutationFn: addPasskey });
  if (!offered && !query.data?.length) return null;

  async function addPasskey() {
    try {
      const made = await makePasskey(await api.passkeys.begin.call({}));
      const passkey = await api.passkeys.add.call({ passkey: made });
      await query.refetch();
      setOpened({ kind: 'added', passkey });
    } catch (error) {
      const description = isDouble(error)
        ? m.passkeys_exists()
        : isUnanswered(error)
          ? m.passkeys_canceled()
          : failureText(error, failures);
      toast.failed(m.passkeys_add_failed(), description);
    }
  }
  const changed = (title: string) => (left: PasskeyView[]) => {
    queries.setQueryData(api.passkeys.list.queryKey(), left);
    setOpened(null);
    toast.done(title);
    // The pressed button may no longer exist.
    heading.current?.focus();
  };
  const unsupported = hydrated && typeof PublicKeyCredential !== 'function';

  return (
    <SettingRow
      title={m.passkeys_list()}
      heading={heading}
      text={offered ? m.passkeys_about() : m.passkeys_off()}
      action={
        offered &&
        !unsupported && (
          <RowAction disabled={!hydrated} busy={add.isPending} onClick={() => add.mutate()}>
            {m.passkeys_add()}
          </RowAction>
        )
      }
    >
      <Fetched query={query} failure={m.passkeys_load_failed()} skeleton={<Skeleton className="h-12" />}>
        {(passkeys) =>
          passkeys.length > 0 && (
            <ul aria-label={m.passkeys_list()} className="divide-y divide-line">
              {passkeys.map((passkey) => (
                <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                  <IconTile hue="sea">
                    <KeyRound />
                  </IconTile>
                  <div className="min-w-0 flex-1 basis-40">
                    <p className="flex flex-wrap items-center gap-x-2 font-semibold wrap-anywhere">
                      {passkey.name}
                      {passkey.synced && <Badge>{m.passkeys_synced()}</Badge>}
                    </p>
                    <p className="text-sm text-quiet">{factsText(passkey, zone)}</p>
                  </div>
                  <div className="flex flex-wrap gap-2">
                    {(['name', 'remove'] as const).map((kind) => (
                      <Button
                        about={passkey.name}
                        key={kind}
                        variant={kind === 'name' ? 'quiet' : 'secondary'}
                        size="sm"
                        onClick={() => setOpened({ kind, passkey })}
                      >
                        {kind === 'name' ? m.passkeys_rename() : m.web_remove()}
                      </Button>
                    ))}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
      {unsupported && <p className="text-quiet">{m.passkeys_unsupported()}</p>}
      {opened && opened.kind !== 'remove' && (
        <NameDialog
          passkey={opened.passkey}
          text={opened.kind === 'added' ? m.passkeys_added_text() : undefined}
          onSaved={changed(m.passkeys_renamed())}
          onClose={() => setOpened(null)}
        />
      )}
      {opened?.kind === 'remove' && (
        <ConfirmAction
          act={() => api.passkeys.remove.call({ id: opened.passkey.id })}
          onDone={changed(m.passkeys_removed())}
          failedTitle={m.passkeys_remove_failed()}
          failureText={(error) => failureText(error, failures)}
          onClose={() => setOpened(null)}
          title={m.passkeys_remove_title({ name: opened.passkey.name })}
          description={[
            m.passkeys_remove_text(),
            ...(opened.passkey.opensWords ? [m.passkeys_remove_opens_words()] : []),
          ].join(' ')}
          confirmLabel={m.web_remove()}
        />
      )}
    </SettingRow>
  );
}

function factsText({ createdAt, usedAt, opensWords }: PasskeyView, zone: string): string {
  const added = m.web_added({ when: momentText(createdAt, zone) });
  const used = usedAt ? m.web_last_used({ when: momentText(usedAt, zone) }) : m.web_not_used();
  return [added, used, ...(opensWords ? [m.passkeys_opens_words()] : [])].join(' · ');
}

function NameDialog({
  passkey: { id, name },
  text,
  onSaved,
  onClose,
}: {
  passkey: PasskeyView;
  text: string | undefined;
  onSaved: (left: PasskeyView[]) => void;
  onClose: () => void;
}) {
  const form = useForm({
    values: { name },
    limits,
    sentence: (_, reason) => (reason === 'required' ? m.web_name_missing() : m.web_text_bad()),
    failureText: (error) => failureText(error, failures),
    save: async (typed) => onSaved(await api.passkeys.rename.call({ id, name: typed.name })),
  });
  return (
    <FormDialog
      title={m.passkeys_name_title()}
      description={text}
      submitLabel={m.passkeys_name_save()}
      failedTitle={m.passkeys_name_failed()}
      form={form}
      onClose={onClose}
    >
      <Field label={m.web_name()} error={form.errorOf('name')}>
        <TextInput {...form.register('name')} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
