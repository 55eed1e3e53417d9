import type { ReactNode } from 'react';

export function PanelHeading({
  id,
  title,
  children,
  action,
}: {
  /** For the panel's aria-labelledby. */
  id: string;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="max-w-reading">
        <h2 id={id} className="text-xl sm:text-2xl">
          {title}
        </h2>
        <div className="mt-1 text-quiet">{children}</div>
      </div>
      {action}
    </div>
  );
}
