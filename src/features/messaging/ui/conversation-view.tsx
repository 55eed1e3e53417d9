import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { failureCode } from '#/web/failures.ts';
import { ZoneLine } from '#/web/own-zone.tsx';
import type { Conversation } from '../contract.ts';
import { AttachmentDrop } from './attachment-picker.tsx';
import { useAttachments } from './attachment-upload.ts';
import { ClosedNote, Composer } from './composer.tsx';
import type { MessageDay } from './message-times.ts';
import { MessageLog } from './message-log.tsx';
import { EmergencyLine } from './emergency-line.tsx';
import { useMessageSync, useWriting } from './messaging-actions.ts';
import { conversationQuery, historyQuery } from './messaging-queries.ts';
import { counterpartName } from './row-texts.ts';

export function ConversationView({
  conversationId,
  at,
  crisis,
  personPath,
  missing,
  ...messageDay
}: MessageDay & {
  conversationId: string;
  /** `seq` of the linked message. */
  at: number | null;
  crisis: boolean;
  personPath: ((id: string) => string) | null;
  missing: ReactNode;
}) {
  const keeper = useMessageSync();
  const query = useQuery({
    ...conversationQuery(api.messaging, conversationId),
  });
  const history = useQuery({
    ...historyQuery(api.messaging, conversationId),
    // Later messages arrive through the keeper, not refetches.
    staleTime: Infinity,
    enabled: query.data !== undefined,
  });
  const known = history.data !== undefined;
  useEffect(() => (known ? keeper.enter(conversationId) : undefined), [keeper, conversationId, known]);
  const first = history.data?.messages[0]?.seq ?? 1;
  const last = history.data?.messages.at(-1)?.seq ?? 0;
  const elsewhere = known && at !== null && (at < first || at > last);
  const lastSeq = query.data?.lastSeq ?? 0;
  useEffect(() => {
    // The URL may name a nonexistent message.
    if (elsewhere && at <= lastSeq) keeper.loadAround(conversationId, at).catch(() => undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each message that one is led to
  }, [keeper, conversationId, at, known]);
  const writing = useWriting().has(conversationId);
  const files = useAttachments(conversationId);

  const refused = failureCode(query.error);
  if (refused === 'not_found' || refused === 'invalid') return missing;
  if (!query.data) {
    return (
      <div className="p-2 sm:p-5">
        <h1 className="sr-only">{m.messaging_title()}</h1>
        <Back />
        <Fetched query={query} failure={m.messaging_history_failed()} skeleton={<ConversationSkeleton />}>
          {() => null}
        </Fetched>
      </div>
    );
  }
  return (
    <Fetched query={query}>
      {(conversation) => (
        <AttachmentDrop files={files}>
          <LeaveGuard unsaved={files.unsent} within="/messages/" />
          <Head conversation={conversation} personPath={personPath} />
          <EmergencyLine conversationId={conversationId} timeZone={messageDay.timeZone} />
          {/* Large screens show it in the list. */}
          <ZoneLine
            timeZone={messageDay.timeZone}
            className="px-4 pt-2 text-center text-sm text-quiet lg:hidden"
          />
          {history.data ? (
            <MessageLog
              key={at}
              conversation={conversation}
              messages={history.data.messages}
              at={at}
              writing={writing ? m.messaging_writing({ name: counterpartName(conversation.with) }) : ''}
              {...messageDay}
            />
          ) : (
            <div className="min-h-0 flex-1 overflow-y-auto p-5">
              <Fetched query={history} failure={m.messaging_history_failed()} skeleton={<HistorySkeleton />}>
                {() => null}
              </Fetched>
            </div>
          )}
          {conversation.closed === null ? (
            <Composer conversation={conversation} files={files} crisis={crisis} />
          ) : (
            <ClosedNote>
              {conversation.closed === 'erased' ? m.messaging_closed_erased() : m.messaging_failed_closed()}
            </ClosedNote>
          )}
        </AttachmentDrop>
      )}
    </Fetched>
  );
}

function Head({
  conversation: { with: other, subject },
  personPath,
}: {
  conversation: Conversation;
  personPath: ((id: string) => string) | null;
}) {
  const name = counterpartName(other);
  return (
    <div className="flex items-center gap-3 border-b border-line bg-card px-2 py-2.5 sm:px-5">
      <Back />
      <Avatar id={other.id} name={name} src={other.photoUrl} size="sm" />
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-lg">
          {personPath && !other.erased ? (
            <Link to={personPath(other.id)} className="py-3 hover:text-primary hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </h1>
        <p className="truncate text-sm text-quiet">
          {other.title && <span>{other.title} · </span>}
          {m.messaging_subject_line({ subject })}
        </p>
      </div>
    </div>
  );
}

function Back() {
  return (
    <Link
      to="/messages"
      aria-label={m.web_all_messages()}
      className="grid size-11 shrink-0 place-items-center rounded-control text-primary hover:bg-sunken lg:hidden"
    >
      <ArrowLeft className="size-5.5" />
    </Link>
  );
}

function ConversationSkeleton() {
  return (
    <div>
      <div className="flex items-center gap-3">
        <Skeleton className="size-10 rounded-full" />
        <Skeleton className="h-5 w-48" />
      </div>
      <HistorySkeleton />
    </div>
  );
}

function HistorySkeleton() {
  return (
    <div className="mt-8 grid gap-4">
      <Skeleton className="h-16 w-3/5" />
      <Skeleton className="ml-auto h-12 w-1/2" />
      <Skeleton className="h-24 w-3/5" />
      <Skeleton className="ml-auto h-16 w-2/5" />
    </div>
  );
}
