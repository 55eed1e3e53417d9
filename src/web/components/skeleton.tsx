import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('rounded-control bg-sunken', className)} />;
}

export function Loading({
  label = m.web_loading(),
  children,
  className,
}: {
  label?: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
