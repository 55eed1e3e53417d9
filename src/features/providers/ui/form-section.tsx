import type { ReactNode } from 'react';
import { Card } from '#/web/components/card.tsx';

export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" aria-label={title}>
      <h2 className="mb-5 text-xl">{title}</h2>
      <div className="grid max-w-3xl gap-6">{children}</div>
    </Card>
  );
}
