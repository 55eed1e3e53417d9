import { type ReactNode, useState } from 'react';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { SecretField, type SecretText } from './secret-field.tsx';

/** Shows a secret once. Asks before it closes if the secret wasn't copied or downloaded. */
export function SecretDialog({
  title,
  description,
  kept,
  children,
  after,
  onClose,
}: {
  title: string;
  description?: string;
  kept: SecretText;
  children: ReactNode;
  after?: ReactNode;
  onClose: () => void;
}) {
  const [saved, setSaved] = useState(false);
  const [asking, setAsking] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={() => (saved ? onClose() : setAsking(true))}
      title={title}
      description={description}
      footer={<Button onClick={onClose}>{m.once_saved()}</Button>}
    >
      <div className="grid gap-4">
        {children}
        <SecretField {...kept} onKept={() => setSaved(true)} />
        {after}
      </div>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.once_close_title()}
        description={m.once_close_text()}
        confirmLabel={m.web_close()}
        cancelLabel={m.once_close_cancel()}
        onConfirm={onClose}
      />
    </Dialog>
  );
}
