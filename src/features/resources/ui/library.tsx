import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type Ref } from 'react';
import { useSearchParams } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';
import { TextInput } from '#/web/components/field.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { useTypedBefore } from '#/web/hydrated.ts';
import type { ResourceCard as Shown, ResourceCategory } from '../library/contract.ts';
import { searchLine } from '../search/rules.ts';
import { ResourceCard } from './resource-card.tsx';
import { categories, categoryNames, countText } from './resource-texts.ts';

const pageSize = 12;
/** Search debounce in milliseconds. */
const pause = 300;
/** Server limit in characters. */
const longestSearch = 200;

export interface LibrarySearch {
  q: string;
  category: ResourceCategory | null;
}

/** Parses URL parameters, ignoring invalid values. */
export function searchOfParams(params: URLSearchParams): LibrarySearch {
  return {
    q: searchLine(params.get('q') ?? '', longestSearch),
    category: categories.find((one) => one === params.get('category')) ?? null,
  };
}

function paramsOf({ q, category }: LibrarySearch): Record<string, string> {
  return { ...(q ? { q } : {}), ...(category ? { category } : {}) };
}

export function inputOf({ q, category }: LibrarySearch) {
  return { ...(q ? { q } : {}), ...(category ? { category } : {}), limit: pageSize };
}

interface Page {
  items: Shown[];
  next: string | null;
  total: number;
}

export function Library({
  initial,
  featured,
}: {
  initial: { asked: LibrarySearch; page: Page };
  featured: Shown[];
}) {
  const [params, setParams] = useSearchParams();
  const asked = searchOfParams(params);
  const [typed, setTyped] = useState(params.get('q') ?? '');
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { q, category } = asked;
  useTypedBefore(form, (before) => setTyped(before.q ?? ''));

  // A link or the Back button changed the URL. `sentQ` keeps our own late navigation from overwriting newer typing.
  const [lastQ, setLastQ] = useState(q);
  const [sentQ, setSentQ] = useState(q);
  if (lastQ !== q) {
    setLastQ(q);
    if (q !== sentQ) {
      setSentQ(q);
      setTyped(q);
    }
  }

  const go = (next: Partial<LibrarySearch>) => {
    setSentQ(next.q ?? q);
    setParams(paramsOf({ q, category, ...next }), { replace: true, preventScrollReset: true });
  };
  const wanted = searchLine(typed, longestSearch);
  useEffect(() => {
    if (wanted === q) return;
    const timer = setTimeout(() => {
      setSentQ(wanted);
      setParams(paramsOf({ q: wanted, category }), { replace: true, preventScrollReset: true });
    }, pause);
    return () => clearTimeout(timer);
  }, [wanted, q, category, setParams]);

  const whole = q === '' && category === null;
  const rendered = initial.asked.q === q && initial.asked.category === category;
  const query = useInfiniteQuery({
    ...api.resources.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...inputOf(asked), ...(cursor ? { cursor } : {}) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
    ...(rendered ? { initialData: { pages: [initial.page], pageParams: [undefined] } } : {}),
    placeholderData: keepPreviousData,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = query.data?.pages[0]?.total;
  const clear = () => {
    setTyped('');
    go({ q: '', category: null });
    box.current?.focus();
  };

  return (
    <>
      <search>
        <form
          ref={form}
          action="/resources"
          onSubmit={(event) => {
            event.preventDefault();
            go({ q: wanted });
            heading.current?.scrollIntoView({ block: 'nearest' });
          }}
          className="mt-6 flex max-w-reading gap-2"
        >
          <SearchBox
            ref={box}
            value={typed}
            onType={setTyped}
            onClear={() => {
              setTyped('');
              go({ q: '' });
              box.current?.focus();
            }}
          />
          <Button type="submit" variant="secondary" className="max-sm:hidden">
            {m.resources_search_button()}
          </Button>
        </form>
        <Categories chosen={category} onChoose={(one) => go({ category: one })} />
      </search>

      {whole && featured.length > 0 && (
        <section aria-labelledby="featured" className="mt-10">
          <h2 id="featured" className="mb-4 text-2xl">
            {m.resources_featured()}
          </h2>
          <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {featured.map((resource) => (
              <ResourceCard key={resource.id} resource={resource} />
            ))}
          </ul>
        </section>
      )}

      <section aria-labelledby="library" aria-busy={query.isPlaceholderData || undefined} className="mt-10">
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 id="library" ref={heading} className="text-2xl">
            {whole ? m.resources_all() : q ? m.web_search_results() : categoryNames[category!]()}
          </h2>
          <p role="status" className="text-quiet">
            {total !== undefined && !query.isPlaceholderData && countText(total)}
          </p>
        </div>
        <Results query={query} items={items} clear={whole ? null : clear} />
      </section>
    </>
  );
}

function SearchBox({
  ref,
  value,
  onType,
  onClear,
}: {
  ref: Ref<HTMLInputElement>;
  value: string;
  onType: (text: string) => void;
  onClear: () => void;
}) {
  return (
    <div className="relative flex-1">
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3.5 z-1 my-auto size-5 text-quiet"
      />
      <TextInput
        ref={ref}
        type="search"
        name="q"
        value={value}
        onChange={(event) => onType(event.target.value)}
        aria-label={m.resources_search_label()}
        placeholder={m.resources_search_placeholder()}
        enterKeyHint="search"
        autoComplete="off"
        className="pr-12 pl-11 [&::-webkit-search-cancel-button]:hidden"
      />
      {value && (
        <button
          type="button"
          aria-label={m.resources_search_clear()}
          onClick={onClear}
          className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-control text-quiet hover:text-ink"
        >
          <X className="size-5" />
        </button>
      )}
    </div>
  );
}

function Categories({
  chosen,
  onChoose,
}: {
  chosen: ResourceCategory | null;
  onChoose: (category: ResourceCategory | null) => void;
}) {
  return (
    <div role="group" aria-label={m.web_category()} className="mt-4 flex flex-wrap gap-2">
      {[null, ...categories].map((one) => (
        <button
          key={one ?? 'all'}
          type="button"
          aria-pressed={one === chosen}
          onClick={() => onChoose(one)}
          className={classes(
            'min-h-11 rounded-full border px-4 py-1.5 font-medium transition-colors duration-150',
            one === chosen
              ? 'border-primary bg-primary text-on-primary'
              : 'border-control bg-card text-ink hover:bg-sunken',
          )}
        >
          {one ? categoryNames[one]() : m.resources_category_all()}
        </button>
      ))}
    </div>
  );
}

function Results({
  query,
  items,
  clear,
}: {
  query: UseInfiniteQueryResult<{ pages: Page[] }>;
  items: readonly Shown[];
  /** Null without filters. */
  clear: (() => void) | null;
}) {
  return query.data === undefined ? (
    query.isError ? (
      <LoadFailed title={m.resources_load_failed()} query={query} kept />
    ) : (
      <Loading>
        <CardsSkeleton />
      </Loading>
    )
  ) : items.length === 0 ? (
    <Card>
      <EmptyState
        as="h3"
        illustration={<WindowIllustration />}
        title={m.resources_empty_title()}
        action={
          clear && (
            <Button variant="secondary" onClick={clear}>
              {m.resources_show_all()}
            </Button>
          )
        }
      >
        {m.resources_empty_text()}
      </EmptyState>
    </Card>
  ) : (
    <>
      <ul
        className={classes(
          'grid gap-5 sm:grid-cols-2 lg:grid-cols-3',
          query.isPlaceholderData && 'opacity-60',
        )}
      >
        {items.map((resource) => (
          <ResourceCard key={resource.id} resource={resource} />
        ))}
      </ul>
      <MoreButton query={query} className="mt-8 flex justify-center" />
    </>
  );
}

export function CardsSkeleton() {
  return (
    <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      {[1, 2, 3].map((one) => (
        <Skeleton key={one} className="h-96" />
      ))}
    </div>
  );
}
