import type { ReactNode } from 'react';

/** For a `<dl>`: names beside their values. */
export const factRows =
  'grid gap-y-1.5 xs:[&>div]:grid xs:[&>div]:grid-cols-[7rem_minmax(0,1fr)] xs:[&>div]:items-baseline xs:[&>div]:gap-x-3';

/** A named value. Place it in a `<dl>`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
