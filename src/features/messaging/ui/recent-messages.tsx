import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Reply } from 'lucide-react';
import { Link } from 'react-router';
import { api } from '#/web/api.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { mentionsSelfHarm } from '#/kernel/self-harm.ts';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LetterIllustration } from '#/web/components/illustrations/letter.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import type { Conversation } from '../contract.ts';
import { UnreadMark } from './conversation-list.tsx';
import { rowTime, type MessageDay } from './message-times.ts';
import { conversationsQuery, unreadQuery } from './messaging-queries.ts';
import { counterpartName, previewText } from './row-texts.ts';

/** Messages shown on a dashboard (client spec, section 9). */
const shown = 3;

export function useUnreadMessages(enabled: boolean): number | undefined {
  const count = useQuery({ ...unreadQuery(api.messaging), enabled }).data?.messages;
  // The cache may be filled before hydration.
  return useHydrated() ? count : undefined;
}

export function RecentMessages({
  party,
  className,
  ...messageDay
}: MessageDay & { party: 'client' | 'provider'; className?: string }) {
  const list = useInfiniteQuery(conversationsQuery(api.messaging));
  const conversations = list.data?.pages[0]?.conversations.slice(0, shown);
  return (
    <section aria-labelledby="recent-messages" className={className}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="recent-messages" tabIndex={-1} className="rounded-control text-xl">
          {m.messaging_recent()}
        </h2>
        <ButtonLink to="/messages" variant="quiet" size="sm" className="-my-2 -mr-3.5">
          {m.messaging_recent_all()}
        </ButtonLink>
      </div>
      <Fetched
        query={{ ...list, data: conversations }}
        failure={m.messaging_recent_failed()}
        skeleton={<Skeleton className="h-44" />}
      >
        {(found) =>
          found.length === 0 ? (
            <Card>
              <EmptyState
                as="h3"
                illustration={<LetterIllustration />}
                title={m.messaging_list_empty_title()}
              >
                {party === 'client' ? m.messaging_recent_empty_client() : m.messaging_recent_empty_provider()}
              </EmptyState>
            </Card>
          ) : (
            <Card as="div" className="p-0!">
              <ul className="divide-y divide-line">
                {found.map((one) => (
                  <Entry key={one.id} conversation={one} party={party} {...messageDay} />
                ))}
              </ul>
            </Card>
          )
        }
      </Fetched>
    </section>
  );
}

function Entry({
  conversation: { id, with: other, subject, last, unread },
  party,
  timeZone,
  today,
}: MessageDay & { conversation: Conversation; party: 'client' | 'provider' }) {
  const name = counterpartName(other);
  return (
    <li className="relative flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3 hover:bg-sunken sm:px-5">
      <Avatar id={other.id} name={name} src={other.photoUrl} size="sm" className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-28">
        <p className="flex items-baseline gap-2">
          <Link
            to={`/messages/${id}`}
            className={classes(
              'min-w-0 flex-1 truncate after:absolute after:inset-0 hover:underline',
              unread > 0 ? 'font-bold' : 'font-semibold',
            )}
          >
            {name}
          </Link>
          <time dateTime={last.sentAt} className="shrink-0 text-sm text-quiet">
            {rowTime(last.sentAt, timeZone, today)}
          </time>
        </p>
        {party === 'client' && <p className="truncate text-sm font-semibold text-quiet">{subject}</p>}
        <p className="flex items-start gap-2">
          <span
            className={classes(
              'min-w-0 flex-1 wrap-anywhere',
              party === 'client' ? 'line-clamp-1' : 'line-clamp-2',
              unread === 0 && 'text-quiet',
            )}
          >
            {/* Hide self-harm wording: others may see a home page, and rereading it is distressing. */}
            {party === 'client' && mentionsSelfHarm(last.text)
              ? m.messaging_recent_private()
              : previewText(last)}
          </span>
          <UnreadMark count={unread} className="mt-0.5" />
        </p>
      </div>
      {party === 'provider' && (
        <ButtonLink
          to={`/messages/${id}`}
          variant="secondary"
          size="sm"
          className="relative self-center max-sm:px-2.5 max-sm:[&_svg]:hidden"
        >
          <Reply />
          <span>
            {m.messaging_recent_reply()}
            <span className="sr-only"> {m.web_to_name({ name })}</span>
          </span>
        </ButtonLink>
      )}
    </li>
  );
}
