import type { ReactNode } from 'react';
import { Card } from '#/web/components/card.tsx';
import { FoldingCard } from '#/web/components/folding-card.tsx';

/** Phones fold a section with a `summary`. */
export function FormSection({
  title,
  summary,
  children,
}: {
  title: string;
  summary?: string;
  children: ReactNode;
}) {
  if (summary !== undefined)
    return (
      <FoldingCard title={title} summary={summary}>
        <div className="grid max-w-3xl gap-6 sm:mt-5">{children}</div>
      </FoldingCard>
    );
  return (
    <Card as="section" aria-label={title}>
      <h2 className="mb-4 text-xl">{title}</h2>
      <div className="grid max-w-3xl gap-x-6 gap-y-4 sm:grid-cols-2 sm:gap-y-5 sm:[&>:only-child]:col-span-full sm:[&>fieldset]:col-span-full">
        {children}
      </div>
    </Card>
  );
}
