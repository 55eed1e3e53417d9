import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import { accountFailureText } from './failure-text.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { RowAction, SettingRow } from './setting-row.tsx';
import { useWords, WordsLock } from './words-lock.tsx';
import { WordsProtectionLink } from './words-protection-link.tsx';

export function RecoveryKeyCard() {
  const ownZone = useOwnZone();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const words = useWords();
  if (!words) return null;
  const { state, recoveryKeyAt } = words;
  const renew = async () => {
    setBusy(true);
    try {
      setShown((await api.words.renewRecoveryKey.call({ confirmed: true })).recoveryKey);
      await queries.invalidateQueries({ queryKey: api.words.get.queryKey() });
    } catch (error) {
      toast.failed(m.accounts_error_title(), accountFailureText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <SettingRow
      title={m.words_recovery_key()}
      badge={
        <Badge tone={recoveryKeyAt ? 'sage' : 'neutral'}>
          {recoveryKeyAt
            ? m.words_recovery_key_since({ date: longDateText(recoveryKeyAt, ownZone) })
            : m.words_recovery_key_none()}
        </Badge>
      }
      text={
        <>
          {m.words_recovery_key_text()} <WordsProtectionLink />
        </>
      }
      action={
        state === 'open' && (
          <RowAction busy={busy} onClick={() => void renew()}>
            {recoveryKeyAt ? m.words_recovery_key_replace() : m.words_recovery_key_create()}
          </RowAction>
        )
      }
    >
      {state !== 'open' && <WordsLock what="both" className="bg-sunken" />}
      {shown !== null && (
        <SecretDialog
          title={m.words_recovery_key()}
          description={m.words_recovery_key_once()}
          kept={{
            text: m.words_recovery_key_file({ key: shown }),
            file: 'italk-recovery-key.txt',
            copied: m.words_recovery_key_copied(),
          }}
          onClose={() => setShown(null)}
        >
          <p className="rounded-card border border-line bg-sunken p-4 text-center text-lg leading-8 font-semibold tracking-wide text-balance tabular-nums">
            <code>{shown}</code>
          </p>
        </SecretDialog>
      )}
    </SettingRow>
  );
}
