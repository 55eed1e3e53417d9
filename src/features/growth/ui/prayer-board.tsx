import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Check, HandHeart, UserRound, UsersRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import limits from 'virtual:limits/growth.prayers.prayed';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';
import { HandsIllustration } from '#/web/components/illustrations/hands.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { mediumDateText } from '#/web/times.ts';
import type { ReceivedPrayer } from '../prayers/contract.ts';
import { useAction, useGrowthForm } from './growth-actions.ts';
import { receivedQuery } from './growth-queries.ts';

export function PrayerBoard({ timeZone }: { timeZone: string }) {
  const [state, setState] = useState<'open' | 'answered'>('open');
  const list = useInfiniteQuery(receivedQuery(api.growth, state));
  const prayers = list.data?.pages.flatMap((one) => one.prayers);
  return (
    <div className="max-w-reading">
      <ChoiceGroup
        legend={<span className="sr-only">{m.growth_prayers_which()}</span>}
        layout="chips"
        value={state}
        onChange={setState}
        choices={[
          { value: 'open', label: m.growth_prayers_open() },
          { value: 'answered', label: m.growth_prayers_answered() },
        ]}
        className="mb-6 max-w-72"
      />
      <FetchedList
        query={list}
        entries={prayers}
        empty={
          <Card>
            <EmptyState as="h2" illustration={<HandsIllustration />} title={m.growth_prayers_empty_title()}>
              {state === 'open' ? m.growth_prayers_empty_text() : m.growth_prayers_empty_answered()}
            </EmptyState>
          </Card>
        }
        moreClassName="mt-6 text-center"
      >
        {(found) => (
          <ul className="grid gap-4">
            {found.map((prayer) => (
              <Received key={prayer.id} prayer={prayer} timeZone={timeZone} />
            ))}
          </ul>
        )}
      </FetchedList>
    </div>
  );
}

function Received({ prayer, timeZone }: { prayer: ReceivedPrayer; timeZone: string }) {
  const { busy, act } = useAction();
  const [writing, setWriting] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const { id: requestId, text, audience, state, askedAt, others } = prayer;
  const name = prayer.name ?? m.growth_prayers_somebody();

  const pray = async () => {
    if (!(await act(() => api.growth.prayers.prayed.call({ requestId })))) return;
    // The pressed button disappears, so move focus.
    heading.current?.focus();
    toast.done(m.growth_prayers_told());
  };
  const undo = async () => {
    if (!(await act(() => api.growth.prayers.undoPrayed.call({ requestId })))) return;
    setWriting(false);
    heading.current?.focus();
    toast.done(m.web_undone());
  };

  return (
    <Card as="li" className="list-none">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2
          ref={heading}
          tabIndex={-1}
          className="rounded-control font-serif text-lg font-semibold wrap-anywhere"
        >
          {name}
        </h2>
        <p className="text-sm text-quiet">{mediumDateText(askedAt, timeZone)}</p>
      </div>
      <p className="mt-1.5 text-lg whitespace-pre-wrap wrap-anywhere">{text}</p>
      <p className="mt-2 flex flex-wrap items-center gap-x-2 text-sm text-quiet">
        {audience === 'pastors' ? <UsersRound className="size-4" /> : <UserRound className="size-4" />}
        <span>{audience === 'pastors' ? m.growth_prayers_for_pastors() : m.growth_prayers_for_you()}</span>
        {others > 0 && (
          <>
            <span aria-hidden>·</span>
            <span>{m.growth_prayers_others({ count: others })}</span>
          </>
        )}
      </p>
      {prayer.prayed === null ? (
        state === 'open' && (
          <Button
            busy={busy}
            className="mt-4"
            aria-label={m.growth_prayers_prayed_for({ name })}
            onClick={() => void pray()}
          >
            <HandHeart />
            {m.growth_prayers_prayed()}
          </Button>
        )
      ) : (
        <div className="mt-4 rounded-control bg-sage-soft px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <p className="flex items-center gap-2 font-semibold">
              <Check className="size-4.5 text-sage" />
              {m.growth_prayers_you_prayed({ date: mediumDateText(prayer.prayed.prayedAt, timeZone) })}
            </p>
            <Button
              variant="quiet"
              size="sm"
              busy={busy}
              className="-mx-3.5"
              aria-label={m.growth_prayers_undo_for({ name })}
              onClick={() => void undo()}
            >
              {m.web_undo()}
            </Button>
          </div>
          {writing ? (
            <NoteForm
              requestId={requestId}
              note={prayer.prayed.note ?? ''}
              onClose={() => {
                flushSync(() => setWriting(false));
                leave.current?.focus();
              }}
            />
          ) : (
            <>
              {prayer.prayed.note !== null && (
                <p className="whitespace-pre-wrap wrap-anywhere">{prayer.prayed.note}</p>
              )}
              {state === 'open' && (
                <Button
                  ref={leave}
                  variant="quiet"
                  size="sm"
                  className="-ml-3.5"
                  onClick={() => setWriting(true)}
                >
                  {prayer.prayed.note === null ? m.growth_prayers_note_add() : m.growth_prayers_note_change()}
                </Button>
              )}
            </>
          )}
        </div>
      )}
    </Card>
  );
}

function NoteForm({ requestId, note, onClose }: { requestId: string; note: string; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useGrowthForm({
    values: { note },
    limits,
    sentence,
    save: async (typed) => {
      await api.growth.prayers.prayed.call({ requestId, ...(typed.note.trim() === '' ? {} : typed) });
      void queries.invalidateQueries({ queryKey: api.growth.key() });
      toast.done(m.web_note_saved());
      onClose();
    },
  });
  const { register, errorOf, failure, busy, setFocus } = form;
  // Takes focus from the removed button.
  useEffect(() => setFocus('note'), [setFocus]);
  return (
    <form {...form.props} className="mt-2 grid gap-3">
      <LeaveGuard unsaved={form.unsaved} />
      <Field
        label={m.growth_prayers_note()}
        hint={m.growth_prayers_note_hint()}
        error={errorOf('note')}
        optional
      >
        <Textarea {...register('note')} rows={2} className="min-h-20" />
      </Field>
      <FailureAlert text={failure} />
      <div className="flex flex-wrap gap-2 pb-1">
        <Button type="submit" size="sm" busy={busy}>
          {m.web_save_note()}
        </Button>
        <Button variant="secondary" size="sm" onClick={onClose}>
          {m.web_cancel()}
        </Button>
      </div>
    </form>
  );
}

function sentence(field: string): string | undefined {
  return field === 'note' ? m.web_text_bad() : undefined;
}
