import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { NavLink } from 'react-router';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { classes } from '#/web/components/classes.ts';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import type { Conversation } from '../contract.ts';
import { MessageSearch } from './message-search.tsx';
import { rowTime, type MessageDay } from './message-times.ts';
import { useWriting } from './messaging-actions.ts';
import { conversationsQuery } from './messaging-queries.ts';
import { counterpartName, previewText, unreadText } from './row-texts.ts';

export function ConversationList({ empty, ...messageDay }: MessageDay & { empty: ReactNode }) {
  const list = useInfiniteQuery(conversationsQuery(api.messaging));
  const writing = useWriting();
  // Private, so not in the URL.
  const [words, setWords] = useState('');
  const conversations = list.data?.pages.flatMap((page) => page.conversations);
  const none = conversations?.length === 0;
  return (
    <>
      {!none && (
        <SearchField
          label={m.messaging_search()}
          value={words}
          maxLength={100}
          onSearch={setWords}
          className="px-4 pb-4 lg:px-5"
        />
      )}
      {words === '' ? (
        <FetchedList
          query={list}
          entries={conversations}
          failure={m.messaging_list_failed()}
          skeleton={<ConversationListSkeleton />}
          empty={empty}
          moreClassName="p-4 text-center"
          more={m.messaging_list_more()}
        >
          {(found) => (
            <ul aria-label={m.messaging_list()} className="border-t border-line">
              {found.map((one) => (
                <Row key={one.id} conversation={one} writing={writing.has(one.id)} {...messageDay} />
              ))}
            </ul>
          )}
        </FetchedList>
      ) : (
        <MessageSearch key={words} words={words} {...messageDay} />
      )}
    </>
  );
}

function Row({
  conversation,
  writing,
  timeZone,
  today,
}: MessageDay & { conversation: Conversation; writing: boolean }) {
  const { id, with: other, subject, last, unread } = conversation;
  return (
    <li className="border-b border-line">
      <NavLink
        to={`/messages/${id}`}
        className="relative flex items-start gap-3 px-4 py-3.5 hover:bg-sunken focus-visible:-outline-offset-3 aria-[current=page]:bg-primary-soft lg:px-5"
      >
        <Avatar
          id={other.id}
          name={counterpartName(other)}
          src={other.photoUrl}
          size="sm"
          className="mt-0.5"
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={classes('min-w-0 flex-1 truncate', unread > 0 ? 'font-bold' : 'font-semibold')}>
              {counterpartName(other)}
            </span>
            <time
              dateTime={last.sentAt}
              className={classes(
                'shrink-0 text-sm',
                unread > 0 ? 'font-semibold text-primary' : 'text-quiet',
              )}
            >
              {rowTime(last.sentAt, timeZone, today)}
            </time>
          </span>
          <span className="block truncate text-sm text-quiet">
            {other.title ? `${other.title} · ${subject}` : subject}
          </span>
          <span className="flex items-center gap-2">
            <span
              className={classes(
                'min-w-0 flex-1 truncate',
                writing ? 'text-sage' : unread > 0 ? 'text-ink' : 'text-quiet',
              )}
            >
              {writing ? m.messaging_row_writing() : previewText(last)}
            </span>
            <UnreadMark count={unread} />
          </span>
        </span>
      </NavLink>
    </li>
  );
}

/** Unread count, spelled out for screen readers. */
export function UnreadMark({ count, className }: { count: number; className?: string }) {
  if (count === 0) return null;
  return (
    <span
      className={classes(
        'grid h-5.5 min-w-5.5 shrink-0 place-items-center rounded-full bg-primary px-1.5 text-sm leading-none font-semibold text-on-primary tabular-nums',
        className,
      )}
    >
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{unreadText(count)}</span>
    </span>
  );
}

function ConversationListSkeleton() {
  return (
    <div className="border-t border-line">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex gap-3 border-b border-line px-4 py-3.5 lg:px-5">
          <Skeleton className="size-10 rounded-full" />
          <div className="flex-1 space-y-2 py-1">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
