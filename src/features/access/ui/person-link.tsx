import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { classes } from '#/web/components/classes.ts';

/** On administrators' pages, a name that leads to the person's page. */
export function PersonLink({
  id,
  className,
  children,
}: {
  id: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Link to={`/admin/people/${id}`} className={classes('text-primary hover:underline', className)}>
      {children}
    </Link>
  );
}
