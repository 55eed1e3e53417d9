import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { MessageSquareReply } from 'lucide-react';
import { useRef, useState, type ReactNode, useEffect } from 'react';
import limits from 'virtual:limits/reviews.replies.write';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Card } from '#/web/components/card.tsx';
import { Stars } from '#/web/components/stars.tsx';
import { monthAndYear } from '#/web/times.ts';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { Field, Textarea } from '#/web/components/field.tsx';
import { useForm, type Form } from '#/web/form.tsx';
import { receivedQuery } from './review-queries.ts';
import { ReviewPages } from './review-pages.tsx';
import type { ReceivedReview } from '../contract.ts';
import type { OwnReply as Reply } from '../reply/contract.ts';
import { replyFailure } from './failure-text.ts';

export function ReceivedReviews() {
  const query = useInfiniteQuery(receivedQuery(api.reviews));
  return (
    <ReviewPages query={query} empty={<p className="text-quiet">{m.reviews_received_empty()}</p>}>
      {(reviews) => (
        <Card as="div" className="px-5! py-1!">
          <ul className="divide-y divide-line">
            {reviews.map(({ id, rating, text, name, place, service, writtenIn, reply }) => (
              <li key={id} className="py-3">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Stars rating={rating} />
                  {text === null && <p className="text-sm text-quiet">{m.reviews_no_words()}</p>}
                  <time dateTime={writtenIn} className="ml-auto text-sm text-quiet">
                    {monthAndYear(writtenIn)}
                  </time>
                </div>
                {text !== null && <p className="mt-1.5 wrap-anywhere whitespace-pre-line">“{text}”</p>}
                <div className="flex flex-wrap items-center gap-x-3">
                  <p className="min-w-0 flex-1 py-1.5 text-sm wrap-anywhere text-quiet">
                    {[name ?? m.reviews_a_client(), place, service.title].filter(Boolean).join(' · ')}
                  </p>
                  <OwnReply
                    reviewId={id}
                    reply={reply}
                    about={m.replies_reply_to({
                      name: name ?? m.reviews_a_client(),
                      month: monthAndYear(writtenIn),
                    })}
                  />
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </ReviewPages>
  );
}

const states = {
  waiting: { tone: 'gold', text: m.replies_state_waiting },
  approved: { tone: 'sage', text: m.replies_state_approved },
  rejected: { tone: 'clay', text: m.replies_state_rejected },
} as const;

function OwnReply({
  reviewId,
  reply,
  about,
}: {
  reviewId: string;
  reply: Reply | null;
  /** Names the review for screen readers. */
  about: string;
}) {
  const queries = useQueryClient();
  const [writing, setWriting] = useState(false);
  const [asked, setAsked] = useState(false);
  const begin = useRef<HTMLButtonElement>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: api.reviews.received.key() });
  // After the closing dialog.
  const giveFocus = () => setTimeout(() => begin.current?.focus());
  // Updates the cache immediately: a refetch could replace the focused button.
  const know = async (now: Reply | null) => {
    const filter = { queryKey: api.reviews.received.key() };
    await queries.cancelQueries(filter);
    queries.setQueriesData<InfiniteData<ReceivedReview[]>>(
      filter,
      (known) =>
        known && {
          ...known,
          pages: known.pages.map((page) =>
            page.map((one) => (one.id === reviewId ? { ...one, reply: now } : one)),
          ),
        },
    );
    void refresh();
  };
  const close = () => {
    setWriting(false);
    giveFocus();
  };
  // Keeps typed text while closed.
  const form = useReplyForm(reviewId, reply, async (sent) => {
    await know(sent);
    close();
    toast.done(m.replies_sent());
  });
  const withdraw = useMutation({
    mutationFn: () => api.reviews.replies.withdraw.call({ reviewId }),
    onSuccess: async () => {
      await know(null);
      form.reset({ text: '' });
      setAsked(false);
      giveFocus();
      toast.done(m.replies_withdrawn());
    },
    onError: (error) => {
      if (isRefusal(error)) void refresh();
    },
  });
  const write = () => {
    // Also clears an earlier failure.
    if (form.unsaved) form.reset(form.getValues(), { keepDefaultValues: true });
    else form.reset({ text: reply?.text ?? '' });
    setWriting(true);
  };
  const named = <VisuallyHidden> {about}</VisuallyHidden>;
  if (writing) return <ReplyForm form={form} onCancel={close} />;
  if (!reply) {
    return (
      <Button ref={begin} variant="quiet" size="sm" className="-mr-3.5" onClick={write}>
        <MessageSquareReply aria-hidden />
        <span>
          {m.replies_reply()}
          {named}
        </span>
      </Button>
    );
  }
  return (
    <div className="mt-1 mb-2 basis-full rounded-control bg-sunken px-4 pt-3 pb-1">
      <Written reply={reply} />
      <div className="-ml-3.5 flex flex-wrap gap-x-1">
        <Button ref={begin} variant="quiet" size="sm" onClick={write}>
          <span>
            {m.web_change()}
            <VisuallyHidden> {m.replies_field()}</VisuallyHidden>
            {named}
          </span>
        </Button>
        <Button variant="quiet" size="sm" onClick={() => setAsked(true)}>
          <span>
            {m.web_withdraw()}
            <VisuallyHidden> {m.replies_field()}</VisuallyHidden>
            {named}
          </span>
        </Button>
      </div>
      <ConfirmDialog
        open={asked}
        act={withdraw}
        failure={replyFailure}
        onClose={() => setAsked(false)}
        title={m.replies_withdraw_title()}
        description={m.replies_withdraw_text()}
        confirmLabel={m.web_withdraw()}
        onConfirm={() => withdraw.mutate()}
      />
    </div>
  );
}

function Written({ reply }: { reply: Reply }) {
  const { tone, text } = states[reply.state];
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold">{m.replies_field()}</p>
        <Badge tone={tone}>{text()}</Badge>
      </div>
      <Words>{reply.text}</Words>
      {reply.reason && (
        <p className="mt-2 wrap-anywhere whitespace-pre-line text-clay">
          {m.replies_reason({ reason: reply.reason })}
        </p>
      )}
      {reply.shownText !== null && reply.state !== 'approved' && (
        <>
          <p className="mt-2 text-sm text-quiet">
            {reply.state === 'waiting' ? m.replies_still_shown() : m.replies_shown_before()}
          </p>
          <Words>{reply.shownText}</Words>
        </>
      )}
    </>
  );
}

function Words({ children }: { children: ReactNode }) {
  return <p className="mt-1.5 max-w-reading wrap-anywhere whitespace-pre-line">{children}</p>;
}

interface Values {
  text: string;
}

function useReplyForm(
  reviewId: string,
  reply: Reply | null,
  onSent: (reply: Reply) => Promise<void>,
): Form<Values> {
  const form = useForm<Values>({
    values: { text: reply?.text ?? '' },
    limits,
    sentence: (field, reason) =>
      field === 'text' && reason === 'required' ? m.replies_required() : undefined,
    failureText: (error) => replyFailure(error).text,
    save: async ({ text }) => {
      const sent = await api.reviews.replies.write.call({ reviewId, text });
      await onSent(sent);
      form.reset({ text: sent.text });
    },
  });
  return form;
}

function ReplyForm({ form, onCancel }: { form: Form<Values>; onCancel: () => void }) {
  const { register, errorOf, failure, busy, setFocus } = form;
  const problem = failure && replyFailure(form.error);
  useEffect(() => setFocus('text'), [setFocus]);
  return (
    <form {...form.props} className="mt-2 mb-2 grid basis-full gap-3">
      <LeaveGuard unsaved={form.unsaved} />
      <Field
        label={m.replies_field()}
        hint={`${m.replies_hint()} ${m.replies_after()}`}
        error={errorOf('text')}
      >
        <Textarea {...register('text')} rows={4} maxLength={limits.text!.max} />
      </Field>
      <FailureAlert {...problem} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" busy={busy}>
          {m.web_send_for_approval()}
        </Button>
        <Button variant="secondary" size="sm" onClick={onCancel}>
          {m.web_cancel()}
        </Button>
      </div>
    </form>
  );
}
