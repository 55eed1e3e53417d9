import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { toast } from '#/web/components/toast.tsx';
import { longDateText } from '#/web/times.ts';
import { accountFailureText } from './failure-text.ts';
import { OnceDialog } from './once-dialog.tsx';
import { useWords, WordsLock } from './words-lock.tsx';

export function RecoveryKeyCard() {
  const queries = useQueryClient();
  const titleId = useId();
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
    <Card as="section" aria-labelledby={titleId}>
      <div className="flex flex-wrap items-center gap-3">
        <h2 id={titleId} className="text-xl">
          {m.words_recovery_key()}
        </h2>
        <Badge tone={recoveryKeyAt ? 'sage' : 'neutral'}>
          {recoveryKeyAt
            ? m.words_recovery_key_since({ date: longDateText(recoveryKeyAt) })
            : m.words_recovery_key_none()}
        </Badge>
      </div>
      <p className="mt-1 mb-4 text-quiet">{m.words_recovery_key_text()}</p>
      {state === 'open' ? (
        <Button variant="secondary" busy={busy} onClick={() => void renew()}>
          {recoveryKeyAt ? m.words_recovery_key_replace() : m.words_recovery_key_create()}
        </Button>
      ) : (
        <WordsLock what="both" className="bg-sunken" />
      )}
      {shown !== null && (
        <OnceDialog
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
        </OnceDialog>
      )}
    </Card>
  );
}
