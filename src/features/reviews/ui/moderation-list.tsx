import { type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card, Section } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { ReviewPages } from './review-pages.tsx';

/** Lists open or past moderation decisions. */
export function ModerationList<One extends { id: string }>({
  id,
  texts: { title, text, empty },
  query,
  children,
}: {
  id: string;
  texts: { title: () => string; text: () => string; empty: () => string };
  query: UseInfiniteQueryResult<InfiniteData<One[]>>;
  children: (one: One) => ReactNode;
}) {
  return (
    <Section titleId={id} title={title()} focusable>
      <p className="mt-0.5 mb-4 max-w-reading text-quiet">{text()}</p>
      <ReviewPages
        query={query}
        empty={
          <Card>
            <EmptyState illustration={<OliveBranchIllustration />} title={empty()} />
          </Card>
        }
      >
        {(entries) => (
          <ul className="grid max-w-3xl gap-4">
            {entries.map((one) => (
              <li key={one.id}>{children(one)}</li>
            ))}
          </ul>
        )}
      </ReviewPages>
    </Section>
  );
}
