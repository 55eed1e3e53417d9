import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export function EmptyState({
  illustration,
  title,
  as: Heading = 'h3',
  children,
  action,
  className,
}: {
  illustration?: ReactNode;
  title: ReactNode;
  as?: 'h1' | 'h2' | 'h3' | 'p';
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={classes(
        'flex max-w-full flex-col items-center px-2 py-6 text-center *:max-w-full',
        className,
      )}
    >
      {illustration && <div className="mb-5 w-48">{illustration}</div>}
      <Heading className="font-serif text-xl font-semibold">{title}</Heading>
      {children && <div className="mt-1.5 max-w-md text-quiet">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
