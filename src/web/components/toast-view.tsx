import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import * as Radix from '@radix-ui/react-toast';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';
import { useToastPlace } from './toast-place.ts';

export type Toast = {
  title: string;
  description?: string;
  tone?: 'success' | 'destructive' | 'info';
  action?: { label: string; altText: string; onSelect: () => void };
};

export type ShownToast = Toast & { id: number };

const tones = {
  success: { Icon: CircleCheck, mark: 'text-sage' },
  destructive: { Icon: CircleAlert, mark: 'text-clay' },
  info: { Icon: Info, mark: 'text-primary' },
};

export function ToastView({ toasts, onGone }: { toasts: ShownToast[]; onGone: (id: number) => void }) {
  const list = useToastPlace();
  return (
    <Radix.Provider label={m.web_toast_label()} swipeDirection="right">
      {toasts.map(({ id, title, description, action, tone = 'info' }) => {
        const { Icon, mark } = tones[tone];
        return (
          <Radix.Root
            key={id}
            type={tone === 'destructive' ? 'foreground' : 'background'}
            // Long enough for slow readers; hover and focus pause it.
            duration={tone === 'destructive' || action ? 12_000 : 7_000}
            onOpenChange={(open) => {
              if (!open) onGone(id);
            }}
            className={classes(
              'pointer-events-auto flex animate-rise items-start gap-3 rounded-card border border-line bg-card py-2 pr-1.5 pl-4 text-ink shadow-soft',
              'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0',
            )}
          >
            <Icon className={classes('mt-2.5 size-5 shrink-0', mark)} />
            <div className="min-w-0 flex-1 py-2">
              <Radix.Title className="font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="text-quiet">{description}</Radix.Description>}
              {action && (
                <Radix.Action
                  altText={action.altText}
                  onClick={action.onSelect}
                  className="-ml-2 min-h-11 rounded-control px-2 font-semibold text-primary hover:text-primary-strong"
                >
                  {action.label}
                </Radix.Action>
              )}
            </div>
            <Radix.Close
              aria-label={m.web_dismiss()}
              className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-sunken hover:text-ink"
            >
              <X className="size-5" />
            </Radix.Close>
          </Radix.Root>
        );
      })}
      <Radix.Viewport
        ref={list}
        label={m.web_notifications()}
        // Keeps toasts readable while a dialog hides the rest: it spares live regions. Radix announces them itself.
        aria-live="off"
        className="pointer-events-none fixed inset-x-3 z-60 m-0 flex list-none flex-col gap-2 outline-none empty:hidden sm:right-5 sm:left-auto sm:w-96"
      />
    </Radix.Provider>
  );
}
