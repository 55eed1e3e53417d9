import * as RadixAlert from '@radix-ui/react-alert-dialog';
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { KeyboardEvent as ReactKeyboardEvent, ReactNode, RefObject } from 'react';
import { m } from '#/texts/messages.js';
import { LeaveBlocker, useCloseOnBack } from '../leave-blocker.tsx';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { HelpNow } from './help-now.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** Fixed below the scrolling body; submit buttons reference their form through the `form` attribute. */
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  /** Takes the first focus instead of the close button. */
  first?: RefObject<HTMLElement | null>;
}

const widths = { sm: 'sm:max-w-md', md: 'sm:max-w-xl', lg: 'sm:max-w-3xl' };

export function DialogView({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  first,
}: DialogProps) {
  useCloseOnBack(open, onOpenChange);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {open && <LeaveBlocker />}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            rememberFocus();
            if (first?.current) event.preventDefault();
            first?.current?.focus();
          }}
          onCloseAutoFocus={restoreFocus}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={closePopoverFirst}
          onKeyDown={(event) => closeOnEscape(event, onOpenChange)}
          className={classes(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[calc(100dvh-1rem)] flex-col rounded-t-card bg-card text-ink shadow-soft outline-none',
            'animate-sheet sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[min(56rem,calc(100dvh-3rem))] sm:animate-rise sm:rounded-card',
            // On very low screens (landscape phones, 400% zoom), header and footer scroll too.
            '[@media(max-height:30rem)]:overflow-y-auto',
            widths[size],
          )}
        >
          <header className="flex flex-wrap items-start gap-x-1 border-b border-line py-3 pr-2 pl-4 sm:py-4 sm:pr-4 sm:pl-6">
            <Radix.Title className="min-w-0 flex-1 pt-1.5 pb-2 text-xl">{title}</Radix.Title>
            <Radix.Close
              aria-label={m.web_close()}
              className="order-1 grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-sunken hover:text-ink"
            >
              <X className="size-5" />
            </Radix.Close>
            {/* After the close button, which is focused first. */}
            <HelpNow compact className="shrink-0" />
            {description && (
              <Radix.Description className="order-1 -mt-1 basis-full pr-2 text-quiet">
                {description}
              </Radix.Description>
            )}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 sm:px-6 [@media(max-height:30rem)]:flex-none [@media(max-height:30rem)]:overflow-visible">
            {children}
          </div>
          {footer && (
            // A landmark would show beneath a nested dialog.
            <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] *:grow sm:justify-end sm:px-6 sm:py-4 sm:*:grow-0">
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface AlertDialogProps {
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
}

export function AlertDialogView({
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
}: AlertDialogProps) {
  useCloseOnBack(open, onOpenChange);
  return (
    <RadixAlert.Root open={open} onOpenChange={onOpenChange}>
      {open && <LeaveBlocker />}
      <RadixAlert.Portal>
        <RadixAlert.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <RadixAlert.Content
          onOpenAutoFocus={rememberFocus}
          onCloseAutoFocus={restoreFocus}
          onEscapeKeyDown={closePopoverFirst}
          onKeyDown={(event) => closeOnEscape(event, onOpenChange)}
          className="fixed inset-x-0 bottom-0 z-50 max-h-[calc(100dvh-1rem)] animate-sheet overflow-y-auto rounded-t-card bg-card p-4 pt-5 pb-[max(1rem,env(safe-area-inset-bottom))] shadow-soft outline-none sm:inset-0 sm:m-auto sm:h-fit sm:max-w-md sm:animate-rise sm:rounded-card sm:p-6"
        >
          <div className="flex items-start gap-1">
            <RadixAlert.Title className="min-w-0 flex-1 pt-1.5 text-xl">{title}</RadixAlert.Title>
            <HelpNow compact className="-mr-2 shrink-0" />
          </div>
          <RadixAlert.Description className="mt-2 text-quiet">{description}</RadixAlert.Description>
          {children && <div className="mt-4">{children}</div>}
          <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <RadixAlert.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </RadixAlert.Cancel>
            <Button variant={tone} busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}

/** Escape closes an open popover before the dialog. */
function closePopoverFirst(event: KeyboardEvent): void {
  const popover = document.querySelector<HTMLElement>(':popover-open');
  if (!popover) return;
  event.preventDefault();
  popover.hidePopover();
}

/** Radix gives Escape to a toast that appeared after the dialog, and prevents the default where it closes a dialog. */
function closeOnEscape(event: ReactKeyboardEvent, onOpenChange: (open: boolean) => void): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  event.preventDefault();
  onOpenChange(false);
}

/** Elements focused before each dialog opened, oldest first. */
const openers: HTMLElement[] = [];

const dialogs = '[role="dialog"],[role="alertdialog"]';

/** Call before the opening dialog takes focus. */
function rememberFocus(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active !== document.body) openers.push(active);
}

/**
 * Restores focus as a dialog closes. Radix only does so for dialogs with a trigger; ours open by state. If one dialog
 * replaces another (sign in, then book), focus returns to the first one's opener.
 */
function restoreFocus(event: Event): void {
  event.preventDefault();
  while (openers.length > 0 && !openers.at(-1)?.isConnected) openers.pop();
  const opener = openers.at(-1);
  const other = document.querySelector(`:is(${dialogs})[data-state="open"]`);
  if (other && !opener?.closest(dialogs)) return;
  openers.pop();
  if (opener) opener.focus();
  // The address opened the dialog.
  else if (document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true });
}
