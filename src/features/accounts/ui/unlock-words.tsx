import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, LockKeyhole } from 'lucide-react';
import { useId, useState } from 'react';
import limits from 'virtual:limits/words.unlock';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { TextField, PasswordField } from '#/web/components/field.tsx';
import { KnownUsername } from '#/web/components/known-username.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useForm } from '#/web/form.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { failureText } from '#/web/failures.ts';
import type { UnlockInput, WordsState } from '../author-keys/contract.ts';
import type { Viewer } from '../contract.ts';
import { accountFailures, accountFailureText } from './failure-text.ts';
import { proofText } from './field-errors.ts';
import { identityFailures } from './identity-call.ts';
import { isUnanswered, signChallenge } from './passkey-browser.ts';
import { useSite } from './session.tsx';
import { SetPassword } from './set-password.tsx';
import { WordsProtectionLink } from './words-protection-link.tsx';

const titles = { journal: m.words_locked_journal, notes: m.words_locked_notes, both: m.words_locked_both };

export type LockedWords = keyof typeof titles;

/** Asks for a secret that unlocks the person's text. */
export function UnlockWords({
  what,
  words,
  viewer,
  className,
}: {
  what: LockedWords;
  words: WordsState;
  viewer: Viewer;
  className?: string;
}) {
  const titleId = useId();
  return (
    <Card as="section" aria-labelledby={titleId} className={className}>
      <h3 id={titleId} className="flex items-center gap-2 text-xl">
        <LockKeyhole aria-hidden className="size-5 shrink-0 text-sage" />
        {words.state === 'unkeyed' ? m.words_unkeyed_title() : titles[what]()}
      </h3>
      <p className="mt-1 mb-4 max-w-reading text-quiet">
        {explanation(words, viewer.hasPassword)} <WordsProtectionLink />
      </p>
      {viewer.hasPassword ? (
        <UnlockForm words={words} email={viewer.email} />
      ) : (
        <SetPassword email={viewer.email} />
      )}
    </Card>
  );
}

function explanation({ state, passwordReplaced, recoveryKeyAt }: WordsState, hasPassword: boolean): string {
  if (!hasPassword) return m.words_no_password_text();
  if (state === 'unkeyed') return m.words_unkeyed_text();
  if (recoveryKeyAt === null)
    return passwordReplaced ? m.words_replaced_no_key_text() : m.words_locked_no_key_text();
  return passwordReplaced ? m.words_replaced_text() : m.words_locked_text();
}

function UnlockForm({ words, email }: { words: WordsState; email: string }) {
  const queries = useQueryClient();
  const [byKey, setByKey] = useState(false);
  const [byPasskey, setByPasskey] = useState<{ failed: string | null } | null>(null);
  const { passkeys: offered } = useSite();
  const hydrated = useHydrated();
  const { passwordReplaced } = words;
  const secret = byKey ? 'recoveryKey' : passwordReplaced ? 'formerPassword' : null;
  const asked = [...(secret ? [secret] : []), ...(byKey && !passwordReplaced ? [] : ['password'])];
  const unlock = async (input: UnlockInput) => {
    await api.words.unlock.call(input);
    toast.done(m.words_unlocked());
    document.getElementById('content')?.focus({ preventScroll: true });
    await queries.invalidateQueries();
  };
  const form = useForm({
    values: { formerPassword: '', recoveryKey: '', password: '' },
    limits,
    input: (typed) => Object.fromEntries(Object.entries(typed).filter(([name]) => asked.includes(name))),
    sentence: secretText,
    failureText: accountFailureText,
    save: (typed) =>
      unlock(Object.fromEntries(Object.entries(typed).filter(([name]) => asked.includes(name)))),
  });
  const { field, failure, busy } = form;
  const unlockByPasskey = async () => {
    setByPasskey({ failed: null });
    try {
      await unlock({ passkey: await signChallenge(await api.passkeys.ask.call({ opensWords: true })) });
    } catch (error) {
      setByPasskey({ failed: isUnanswered(error) ? m.words_passkey_failed() : failureText(error, failures) });
    }
  };
  return (
    <form {...form.props} className="grid max-w-md gap-4">
      <KnownUsername email={email} />
      {(failure ?? byPasskey?.failed) && (
        <Notice tone="destructive" title={m.accounts_error_title()}>
          {failure ?? byPasskey?.failed}
        </Notice>
      )}
      {secret === 'recoveryKey' && (
        <TextField
          label={m.words_recovery_key()}
          hint={m.words_recovery_key_hint()}
          {...field('recoveryKey')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
      {secret === 'formerPassword' && (
        <PasswordField label={m.words_former_password()} {...field('formerPassword')} autoComplete="off" />
      )}
      {asked.includes('password') && (
        <PasswordField
          label={passwordReplaced ? m.words_new_password() : m.accounts_password()}
          {...field('password')}
          autoComplete="current-password"
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {words.state === 'unkeyed' ? m.second_step_go_on() : m.words_unlock()}
        </Button>
        {words.byPasskey && offered && hydrated && typeof PublicKeyCredential === 'function' && (
          <Button
            variant="secondary"
            className="max-sm:w-full"
            busy={byPasskey?.failed === null}
            onClick={() => void unlockByPasskey()}
          >
            <KeyRound />
            {m.words_unlock_by_passkey()}
          </Button>
        )}
        {words.recoveryKeyAt !== null && (
          <Button variant="quiet" onClick={() => setByKey(!byKey)}>
            {!byKey
              ? m.words_by_recovery_key()
              : passwordReplaced
                ? m.words_by_former_password()
                : m.words_by_password()}
          </Button>
        )}
        {words.state === 'locked' && passwordReplaced && <StartOver />}
      </div>
    </form>
  );
}

const failures = {
  ...identityFailures,
  ...accountFailures,
  fields: m.words_passkey_failed,
  wrong_passkey: m.words_passkey_failed,
};

function secretText(field: string, reason: string): string | undefined {
  if (field === 'recoveryKey')
    return reason === 'wrong_secret' ? m.words_recovery_key_wrong() : m.words_recovery_key_required();
  if (field === 'formerPassword')
    return reason === 'wrong_secret' ? m.words_former_password_wrong() : m.accounts_field_password_required();
  return proofText(field, reason === 'too_small' ? 'required' : reason);
}

function StartOver() {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const startOver = async () => {
    setBusy(true);
    try {
      await api.words.startOver.call({ confirmed: true });
      setAsking(false);
      await queries.invalidateQueries();
    } catch (error) {
      toast.failed(m.accounts_error_title(), accountFailureText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {m.words_start_over()}
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.words_start_over_title()}
        description={m.words_start_over_text()}
        confirmLabel={m.words_start_over_confirm()}
        onConfirm={() => void startOver()}
        busy={busy}
      />
    </>
  );
}
