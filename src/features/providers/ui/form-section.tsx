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
  const fields = <div className="grid max-w-3xl gap-6">{children}</div>;
  if (summary !== undefined)
    return (
      <FoldingCard title={title} summary={summary}>
        <div className="sm:mt-5">{fields}</div>
      </FoldingCard>
    );
  return (
    <Card as="section" aria-label={title}>
      <h2 className="mb-5 text-xl">{title}</h2>
      {fields}
    </Card>
  );
}
