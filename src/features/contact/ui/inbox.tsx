import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { changedQuery } from '#/web/changed-query.ts';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LetterIllustration } from '#/web/components/illustrations/letter.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { SectionHeading } from '#/web/components/page.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useNarrow } from '#/web/narrow.ts';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { momentText } from '#/web/times.ts';
import type { ContactState, ListedMessage } from '../contract.ts';
import { stateTexts } from './state-texts.ts';
import { Message } from './message.tsx';

const states: readonly ContactState[] = ['open', 'answered', 'closed'];

export function Inbox() {
  const [query, setQuery] = useSearchParams();
  const asked = query.get('state');
  const state = states.find((one) => one === asked) ?? 'open';
  const opened = query.get('message');
  // Keeps names and addresses out of URLs.
  const [search, setSearch] = useState('');
  const queries = useQueryClient();
  const [news, setNews] = useState('');

  const list = useInfiniteQuery(
    api.contact.inbox.infiniteOptions({
      input: (beyond: { lastSentAt: string; lastId: string } | undefined) => ({
        state,
        search,
        limit: 25,
        ...beyond,
      }),
      initialPageParam: undefined as { lastSentAt: string; lastId: string } | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
      // Keeps the list while a search runs, so that a press on a message isn't lost.
      placeholderData: (shown, before) => (before && stateIn(before.queryKey) === state ? shown : undefined),
    }),
  );
  useRealtime(({ type }) => {
    if (!type.startsWith('contact.') && type !== 'missed') return;
    void queries.invalidateQueries({ queryKey: api.contact.key() });
    if (type === 'contact.received') setNews(m.contact_inbox_new());
  });

  const pages = list.data?.pages ?? [];
  const messages = pages.flatMap((page) => page.messages);
  // Narrow screens show either the list or a message.
  const first = useNarrow() || opened ? undefined : messages[0]?.id;
  useEffect(() => {
    if (first) setQuery(changedQuery(query, { message: first }), { replace: true, preventScrollReset: true });
  }, [first, query, setQuery]);

  return (
    <>
      <SectionHeading
        as="h1"
        title={m.contact_inbox_title()}
        action={pages[0] && <Badge tone="primary">{m.web_count_new({ count: pages[0].open })}</Badge>}
      >
        {m.contact_inbox_text()}
      </SectionHeading>
      <ZoneLine timeZone={useOwnZone()} className="mt-2 text-sm text-quiet" />
      <div className={classes('mt-6 flex flex-wrap items-end gap-4', opened && 'max-lg:hidden')}>
        <StateTabs state={state} query={query} />
        <SearchField
          label={m.contact_inbox_search()}
          value={search}
          maxLength={200}
          onSearch={setSearch}
          className="min-w-0 grow basis-64 lg:max-w-md"
        />
      </div>
      <p role="status" className="sr-only">
        {news}
      </p>
      <div
        className={classes(
          'mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6',
          (messages.length > 0 || opened !== null) && 'lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]',
        )}
      >
        <div className={opened ? 'max-lg:hidden' : undefined}>
          <Fetched query={list} {...messagesWords}>
            {() =>
              messages.length === 0 ? (
                <>
                  <Nothing state={state} searching={search !== ''} further={list.hasNextPage} />
                  <MoreButton query={list} className="mt-4 text-center">
                    {m.web_search_older()}
                  </MoreButton>
                </>
              ) : (
                <nav aria-label={m.contact_inbox_list()}>
                  <ul className="space-y-2">
                    {messages.map((message) => (
                      <Entry
                        key={message.id}
                        message={message}
                        to={changedQuery(query, { message: message.id })}
                        current={message.id === opened}
                      />
                    ))}
                  </ul>
                  <MoreButton query={list} />
                </nav>
              )
            }
          </Fetched>
        </div>
        {opened && (
          <Card as="section" ref={focusMessage} tabIndex={-1} aria-label={m.contact_inbox_title()}>
            <Link
              to={changedQuery(query, { message: null })}
              className="mb-3 inline-flex min-h-11 items-center gap-2 font-semibold text-primary lg:hidden"
            >
              <ArrowLeft aria-hidden className="size-4.5" />
              {m.web_all_messages()}
            </Link>
            <Opened id={opened} />
          </Card>
        )}
      </div>
    </>
  );
}

function stateIn(key: readonly unknown[]): ContactState | undefined {
  const [, { input } = {}] = key as [unknown, { input?: { state: ContactState } }?];
  return input?.state;
}

function StateTabs({ state, query }: { state: ContactState; query: URLSearchParams }) {
  return (
    <nav aria-label={m.contact_inbox_state()} className="flex flex-wrap gap-1 rounded-control bg-sunken p-1">
      {states.map((one) => (
        <Link
          key={one}
          to={changedQuery(query, { state: one === 'open' ? null : one, message: null })}
          aria-current={one === state ? 'page' : undefined}
          className="inline-flex min-h-11 items-center rounded-control px-4 max-sm:px-3 font-semibold aria-[current=page]:bg-card aria-[current=page]:text-primary aria-[current=page]:shadow-soft"
        >
          {stateTexts[one]()}
        </Link>
      ))}
    </nav>
  );
}

/** On phones the message replaces the pressed link, so move focus. */
function focusMessage(card: HTMLElement | null): void {
  const pressed = document.activeElement;
  if (pressed instanceof HTMLAnchorElement && pressed.getClientRects().length === 0) card?.focus();
}

const messagesWords = {
  failure: m.contact_inbox_failed(),
  skeleton: (
    <div className="space-y-2">
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  ),
};

function Entry({ message, to, current }: { message: ListedMessage; to: string; current: boolean }) {
  const { name, subject, excerpt, sentAt } = message;
  const zone = useOwnZone();
  return (
    <li>
      <Link
        to={to}
        preventScrollReset
        aria-current={current ? 'page' : undefined}
        className={classes(
          'block rounded-card border bg-card px-4 py-3 shadow-soft hover:bg-sunken',
          current ? 'border-primary' : 'border-line',
        )}
      >
        <span className="flex flex-wrap justify-between gap-x-3 text-sm text-quiet">
          <span className="min-w-0 break-words">{name}</span>
          <time dateTime={sentAt}>{momentText(sentAt, zone)}</time>
        </span>
        <span className="block font-semibold break-words">{subject}</span>
        <span className="line-clamp-2 text-sm break-words text-quiet">{excerpt}</span>
      </Link>
    </li>
  );
}

function Opened({ id }: { id: string }) {
  const query = useQuery({
    ...api.contact.get.queryOptions({ input: { messageId: id } }),
    retry: false,
  });
  const deleted =
    query.error !== null &&
    'code' in query.error &&
    ['not_found', 'invalid'].includes(String(query.error.code));
  if (deleted) return <p>{m.web_gone()}</p>;
  return (
    <Fetched query={query} {...messagesWords}>
      {(message) => <Message key={message.id} message={message} />}
    </Fetched>
  );
}

const empty: Readonly<Record<ContactState, { title: () => string; text: () => string }>> = {
  open: { title: m.contact_inbox_empty_title, text: m.contact_inbox_empty_text },
  answered: { title: m.contact_inbox_empty_answered_title, text: m.contact_inbox_empty_answered_text },
  closed: { title: m.contact_inbox_empty_closed_title, text: m.contact_inbox_empty_closed_text },
};

function Nothing({
  state,
  searching,
  further,
}: {
  state: ContactState;
  searching: boolean;
  further: boolean;
}) {
  if (searching)
    return (
      <EmptyState as="h2" title={further ? m.contact_inbox_none_yet_title() : m.web_no_messages_found()}>
        {further ? m.contact_inbox_none_yet_text() : m.contact_inbox_none_text()}
      </EmptyState>
    );
  return (
    <EmptyState as="h2" illustration={<LetterIllustration />} title={empty[state].title()}>
      {empty[state].text()}
    </EmptyState>
  );
}
