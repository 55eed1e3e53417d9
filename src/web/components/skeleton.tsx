import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

/** A still shape in the place of what is loading; its class gives it that thing's size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('rounded-control bg-sunken', className)} />;
}

/** Holds skeletons, and says in words that something is loading. */
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
