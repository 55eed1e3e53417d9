import * as Radix from '@radix-ui/react-alert-dialog';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from './button.tsx';
import { HelpNow } from './help-now.tsx';
import { closeOnEscape, closePopoverFirst } from './dialog.tsx';
import { giveFocusBack, rememberFocus } from './return-focus.ts';

/** Confirms a destructive action. Focus starts on cancel. */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  confirmLabel,
  cancelLabel = m.web_cancel(),
  onConfirm,
  busy = false,
  tone = 'destructive',
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  children?: ReactNode;
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** Doesn't close the dialog: callers do, once finished. */
  onConfirm: () => void;
  busy?: boolean;
  tone?: 'destructive' | 'primary';
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          onOpenAutoFocus={rememberFocus}
          onCloseAutoFocus={giveFocusBack}
          onEscapeKeyDown={closePopoverFirst}
          onKeyDown={(event) => closeOnEscape(event, onOpenChange)}
          className="fixed inset-x-0 bottom-0 z-50 max-h-[calc(100dvh-1rem)] animate-sheet overflow-y-auto rounded-t-card bg-card p-4 pt-5 pb-[max(1rem,env(safe-area-inset-bottom))] shadow-soft outline-none sm:inset-0 sm:m-auto sm:h-fit sm:max-w-md sm:animate-rise sm:rounded-card sm:p-6"
        >
          <div className="flex items-start gap-1">
            <Radix.Title className="min-w-0 flex-1 pt-1.5 text-xl">{title}</Radix.Title>
            <HelpNow compact className="-mr-2 shrink-0" />
          </div>
          <Radix.Description className="mt-2 text-quiet">{description}</Radix.Description>
          {children && <div className="mt-4">{children}</div>}
          <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Radix.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </Radix.Cancel>
            <Button variant={tone} busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
