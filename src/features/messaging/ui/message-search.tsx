import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Button } from '#/web/components/button.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { LetterIllustration } from '#/web/components/illustrations/letter.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { foundTime, type MessageDay } from './message-times.ts';
import { searchQuery } from './messaging-queries.ts';
import { counterpartName } from './row-texts.ts';

/** Minimum query length, and results loaded before stopping for "Show more". */
const shortest = 2;
const enough = 20;
/** Characters shown around the first match. */
const shown = 90;

/** Message search results. The server scans page by page, with progress announced. */
export function MessageSearch({ words, timeZone, today }: MessageDay & { words: string }) {
  const [wanted, setWanted] = useState(enough);
  const search = useInfiniteQuery({
    ...searchQuery(api.messaging, words),
    enabled: words.length >= shortest,
    // Results are a snapshot.
    staleTime: Infinity,
    gcTime: 0,
  });
  const pages = search.data?.pages ?? [];
  const found = pages.flatMap((page) => page.found);
  const looked = pages.reduce((sum, page) => sum + page.looked, 0);
  const { hasNextPage, isFetching, isError, fetchNextPage } = search;
  const goesOn = hasNextPage && !isError && found.length < wanted;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  const done = search.isSuccess && !goesOn && !isFetching;

  if (words.length < shortest) return <p className="px-4 text-quiet lg:px-5">{m.messaging_search_short()}</p>;
  return (
    <section aria-label={m.web_search_results()}>
      <p role="status" className="min-h-6 px-4 pb-3 text-sm text-quiet lg:px-5">
        {progressText({ done, found: found.length, looked })}
      </p>
      {found.length > 0 && (
        <ul className="border-t border-line">
          {found.map(({ conversation, message }) => (
            <li key={message.id} className="border-b border-line">
              <Link
                to={`/messages/${conversation.id}?at=${message.seq}`}
                className="flex items-start gap-3 px-4 py-3.5 hover:bg-sunken focus-visible:-outline-offset-3 lg:px-5"
              >
                <Avatar
                  id={conversation.with.id}
                  name={counterpartName(conversation.with)}
                  src={conversation.with.photoUrl}
                  size="sm"
                  className="mt-0.5"
                />
                <span className="min-w-0 flex-1">
                  <span className="flex items-baseline gap-2">
                    <span className="min-w-0 flex-1 truncate font-semibold">
                      {counterpartName(conversation.with)}
                    </span>
                    <time dateTime={message.sentAt} className="shrink-0 text-sm text-quiet">
                      {foundTime(message.sentAt, timeZone, today)}
                    </time>
                  </span>
                  <span className="line-clamp-2 wrap-anywhere text-quiet">
                    <Marked text={message.text} words={words} mine={message.mine} />
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isError && (
        <div className="p-4">
          <Notice
            tone="destructive"
            title={m.messaging_search_failed()}
            action={
              <TryAgain
                query={{ isFetching, refetch: pages.length === 0 ? search.refetch : fetchNextPage }}
              />
            }
          />
        </div>
      )}
      {done && hasNextPage && (
        <p className="p-4 text-center">
          <Button variant="secondary" onClick={() => setWanted(found.length + enough)}>
            {m.web_search_older()}
          </Button>
        </p>
      )}
      {done && found.length === 0 && (
        <EmptyState
          as="p"
          illustration={<LetterIllustration />}
          title={m.web_no_messages_found()}
          className="px-5"
        >
          {m.messaging_search_none_text()}
        </EmptyState>
      )}
    </section>
  );
}

function progressText({ done, found, looked }: { done: boolean; found: number; looked: number }): string {
  if (!done) {
    if (looked === 0) return m.messaging_search_starting();
    const progress = m.messaging_search_looked({ count: looked });
    return found === 0 ? progress : `${progress} ${m.messaging_search_found_so_far({ count: found })}`;
  }
  if (found === 0) return '';
  return m.messaging_search_found({ count: found });
}

function Marked({ text, words, mine }: { text: string; words: string; mine: boolean }) {
  const line = text.replaceAll(/\s+/g, ' ');
  const wanted = words.split(/\s+/).map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const pattern = new RegExp(`(${wanted.join('|')})`, 'iu');
  const hit = pattern.exec(line)?.index ?? 0;
  const early = Math.max(0, hit - Math.floor(shown / 3));
  const space = line.indexOf(' ', early);
  const from = early > 0 && space > 0 && space < hit ? space + 1 : early;
  // Pieces at odd indexes are matches.
  const pieces = line.slice(from, from + shown * 2).split(new RegExp(pattern, 'giu'));
  return (
    <>
      {mine && m.messaging_row_mine({ text: '' })}
      {from > 0 && '…'}
      {pieces.map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          <mark key={index} className="bg-gold-soft font-semibold text-ink">
            {piece}
          </mark>
        ),
      )}
    </>
  );
}
