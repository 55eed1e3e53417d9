import type { ReactNode } from 'react';

export function PartHeading({
  id,
  title,
  children,
  action,
}: {
  id?: string;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="mb-4 sm:mb-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="min-w-0 text-xl sm:text-2xl">
          {title}
        </h2>
        {action}
      </div>
      {children && <p className="mt-1 max-w-reading text-quiet">{children}</p>}
    </div>
  );
}
