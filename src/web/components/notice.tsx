import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

const tones = {
  info: { Icon: Info, look: 'bg-primary-soft', mark: 'text-primary' },
  success: { Icon: CircleCheck, look: 'bg-sage-soft', mark: 'text-sage' },
  destructive: { Icon: CircleAlert, look: 'bg-clay-soft', mark: 'text-clay' },
};

/** A persistent inline message. Destructive ones are announced to screen readers on appearance. */
export function Notice({
  tone = 'info',
  title,
  children,
  action,
  className,
}: {
  tone?: 'info' | 'success' | 'destructive';
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  const { Icon, look, mark } = tones[tone];
  return (
    <div
      role={tone === 'destructive' ? 'alert' : 'status'}
      className={classes('flex items-start gap-3 rounded-control px-4 py-3', look, className)}
    >
      <Icon className={classes('mt-0.5 size-5 shrink-0', mark)} />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children}
        {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}

/** Shows an error, if there is one. */
export function FailureAlert({
  title = m.web_did_not_work(),
  text,
  className,
}: {
  title?: string;
  text?: string | false | null;
  className?: string;
}) {
  if (!text) return null;
  return (
    <Notice tone="destructive" title={title} className={className}>
      {text}
    </Notice>
  );
}
