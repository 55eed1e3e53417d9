import { useInfiniteQuery } from '@tanstack/react-query';
import { Check, HandHeart, RotateCcw, Trash2, Undo2, UsersRound, UserRound } from 'lucide-react';
import { useState } from 'react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { HandsIllustration } from '#/web/components/illustrations/hands.tsx';
import { toast } from '#/web/components/toast.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { mediumDateText } from '#/web/times.ts';
import type { OwnPrayer, PrayerState } from '../prayers/contract.ts';
import { useAction } from './growth-actions.ts';
import { prayersQuery } from './growth-queries.ts';
import { PanelHeading } from './panel-heading.tsx';

const PrayerForm = lazyPart(async () => (await import('./prayer-form.tsx')).PrayerForm);

export function PrayerPanel({ timeZone }: { timeZone: string }) {
  const [asking, setAsking] = useState(false);
  const list = useInfiniteQuery(prayersQuery(api.growth));
  const prayers = list.data?.pages.flatMap((one) => one.prayers);
  const ask = (
    <Button className="max-sm:w-full" onClick={() => setAsking(true)}>
      <HandHeart />
      {m.growth_prayer_ask()}
    </Button>
  );
  return (
    <section aria-labelledby="prayer">
      <PanelHeading
        id="prayer"
        title={m.growth_prayer_heading()}
        action={prayers?.length === 0 ? undefined : ask}
      >
        {m.growth_prayer_text()}
      </PanelHeading>
      <FetchedList
        query={list}
        entries={prayers}
        empty={
          <Card>
            <EmptyState
              illustration={<HandsIllustration />}
              title={m.growth_prayer_empty_title()}
              action={ask}
            />
          </Card>
        }
        moreClassName="mt-6 text-center"
      >
        {(found) => (
          <ul className="grid max-w-reading gap-4">
            {found.map((prayer) => (
              <Prayer key={prayer.id} prayer={prayer} timeZone={timeZone} />
            ))}
          </ul>
        )}
      </FetchedList>
      {asking && <PrayerForm onClose={() => setAsking(false)} />}
    </section>
  );
}

const states: Readonly<Record<PrayerState, { label: () => string; tone: 'primary' | 'sage' | 'neutral' }>> = {
  open: { label: m.growth_prayer_state_open, tone: 'primary' },
  answered: { label: m.growth_prayer_state_answered, tone: 'sage' },
  closed: { label: m.growth_prayer_state_closed, tone: 'neutral' },
};

const settled: Readonly<Record<PrayerState, { title: () => string; text?: () => string }>> = {
  answered: { title: m.growth_prayer_settled_answered, text: m.growth_prayer_settled_answered_text },
  closed: { title: m.growth_prayer_settled_closed, text: m.growth_prayer_settled_closed_text },
  open: { title: m.growth_prayer_settled_open },
};

function Prayer({ prayer, timeZone }: { prayer: OwnPrayer; timeZone: string }) {
  const { busy, act } = useAction();
  const [deleting, setDeleting] = useState(false);
  const { id: requestId, text, audience, counsellor, showName, state, askedAt, prayed } = prayer;

  const settle = async (next: PrayerState) => {
    if (!(await act(() => api.growth.prayers.settle.call({ requestId, state: next })))) return;
    const { title, text: more } = settled[next];
    toast.done(title(), more?.());
  };
  const remove = async () => {
    if (!(await act(() => api.growth.prayers.remove.call({ requestId })))) return;
    setDeleting(false);
    document.getElementById('content')?.focus({ preventScroll: true });
    toast.done(m.growth_prayer_deleted());
  };

  return (
    <Card as="li" className="list-none">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="text-sm text-quiet">
          {m.growth_prayer_asked_on({ date: mediumDateText(askedAt, timeZone) })}
        </p>
        <Badge tone={states[state].tone}>{states[state].label()}</Badge>
      </div>
      <p className="mt-2 text-lg whitespace-pre-wrap wrap-anywhere">{text}</p>
      <p className="mt-2 flex flex-wrap items-center gap-x-2 text-sm text-quiet">
        {audience === 'pastors' ? <UsersRound className="size-4" /> : <UserRound className="size-4" />}
        <span>
          {audience === 'pastors'
            ? m.growth_prayers_for_pastors()
            : counsellor
              ? m.growth_prayer_to_one({ name: counsellor.name })
              : m.growth_prayer_to_gone()}
        </span>
        <span aria-hidden>·</span>
        <span>{showName ? m.growth_prayer_with_name() : m.growth_prayer_without_name()}</span>
      </p>
      {prayed.length > 0 ? (
        <ul aria-label={m.growth_prayer_who_prayed()} className="mt-4 grid gap-3">
          {prayed.map(({ id, name, note, prayedAt }) => (
            <li key={id} className="flex items-start gap-3 rounded-control bg-sage-soft p-3.5">
              <Avatar id={id} name={name} size="sm" />
              <div className="min-w-0 flex-1">
                <p className="font-semibold">
                  {m.growth_prayer_prayed_on({
                    name,
                    date: mediumDateText(prayedAt, timeZone).replaceAll(' ', '\u00a0'),
                  })}
                </p>
                {note !== null && <p className="whitespace-pre-wrap wrap-anywhere">{note}</p>}
              </div>
            </li>
          ))}
        </ul>
      ) : (
        state === 'open' && (
          <p className="mt-4 rounded-control bg-sunken px-3.5 py-3 text-quiet">
            {m.growth_prayer_nobody_yet()}
          </p>
        )
      )}
      <div className={classes('mt-4 -mb-1 flex flex-wrap gap-2', state !== 'open' && '-ml-3.5')}>
        {state === 'open' && (
          <>
            <Button
              variant="secondary"
              size="sm"
              className="max-sm:w-full"
              busy={busy}
              onClick={() => void settle('answered')}
            >
              <Check />
              {m.growth_prayer_answered()}
            </Button>
            <Button
              variant="quiet"
              size="sm"
              className="max-sm:-ml-3.5"
              busy={busy}
              onClick={() => void settle('closed')}
            >
              <Undo2 />
              {m.web_withdraw()}
            </Button>
          </>
        )}
        {state !== 'open' && (audience === 'pastors' || counsellor) && (
          <Button variant="quiet" size="sm" busy={busy} onClick={() => void settle('open')}>
            <RotateCcw />
            {m.growth_prayer_reopen()}
          </Button>
        )}
        <Button variant="quiet" size="sm" onClick={() => setDeleting(true)}>
          <Trash2 />
          {m.web_delete()}
        </Button>
      </div>
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={m.growth_prayer_delete_title()}
        description={m.growth_prayer_delete_text()}
        confirmLabel={m.growth_prayer_delete_confirm()}
        onConfirm={() => void remove()}
        busy={busy}
      />
    </Card>
  );
}
