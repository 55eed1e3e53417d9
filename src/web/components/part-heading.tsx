import type { ReactNode } from 'react';

/** The heading of a part of the portal, one step below the page's, with a line of introduction and an action. */
export function PartHeading({
  id,
  title,
  children,
  action,
}: {
  /** For the part's aria-labelledby. */
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
