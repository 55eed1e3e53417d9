import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { PermissionGate } from '#/features/access/ui/permission-gate.tsx';
import type { Viewer } from '#/features/accounts/contract.ts';
import { CardsSkeleton } from '#/features/resources/ui/library.tsx';
import { ResourceCard } from '#/features/resources/ui/resource-card.tsx';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';

type LibraryList = 'got' | 'favourites';

export function ResourcesTab({ viewer }: { viewer: Viewer }) {
  return (
    <PermissionGate role={viewer.role} capability="view_content">
      <MyResources />
    </PermissionGate>
  );
}

export function libraryQuery({ mine }: typeof api.resources, kept: LibraryList) {
  return mine.infiniteOptions({
    input: (cursor: string | undefined) => ({ kept, limit: 6, ...(cursor ? { cursor } : {}) }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  });
}

function useLibraryList(kept: LibraryList) {
  return useInfiniteQuery({
    ...libraryQuery(api.resources, kept),
    placeholderData: keepPreviousData,
  });
}

function MyResources() {
  useLiveQueries(api.resources.mine.key(), 'resources.changed');
  const got = useLibraryList('got');
  const favourites = useLibraryList('favourites');
  const none = [got, favourites].every(({ data }) => data?.pages[0]?.items.length === 0);
  if (none) {
    return (
      <Card>
        <EmptyState
          as="h2"
          illustration={<OliveBranchIllustration />}
          title={m.resources_author_none()}
          action={<ButtonLink to="/resources">{m.resources_explore()}</ButtonLink>}
        >
          {m.resources_mine_none_text()}
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid gap-10">
      <Shelf id="got" title={m.resources_author_title()} none={m.resources_mine_no_got()} query={got} />
      <Shelf
        id="favourites"
        title={m.resources_mine_favourites()}
        none={m.resources_mine_no_favourites()}
        query={favourites}
      />
      <div>
        <ButtonLink to="/resources" variant="secondary">
          {m.resources_explore()}
        </ButtonLink>
      </div>
    </div>
  );
}

function Shelf({
  id,
  title,
  none,
  query,
}: {
  id: string;
  title: string;
  none: string;
  query: ReturnType<typeof useLibraryList>;
}) {
  return (
    <Section titleId={id} title={title} titleClassName="mb-4 text-xl">
      <FetchedList
        query={query}
        entries={query.data?.pages.flatMap((page) => page.items)}
        failure={m.resources_load_failed()}
        skeleton={<CardsSkeleton />}
        empty={<p className="text-quiet">{none}</p>}
      >
        {(items) => (
          <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {items.map((resource) => (
              <ResourceCard key={resource.id} resource={resource} />
            ))}
          </ul>
        )}
      </FetchedList>
    </Section>
  );
}
