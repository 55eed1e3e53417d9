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
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="max-w-reading min-w-0 flex-1 basis-64">
        <h2 id={id} className="text-xl sm:text-2xl">
          {title}
        </h2>
        {children && <p className="mt-1 text-quiet">{children}</p>}
      </div>
      {action}
    </div>
  );
}
