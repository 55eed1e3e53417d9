import { useRef, useState, type ComponentProps, type ReactNode, type Ref } from 'react';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { AvailabilityDraft, AvailabilityView } from '../contract.ts';
import { DatesCard } from './dates-card.tsx';
import { useEditedWeek, useWeekSave, type EditedWeek, type SaveFailure } from './edited-week.ts';
import { HolidaysCard } from './holidays-card.tsx';
import { RestCard } from './rest-card.tsx';
import { SaveBar } from './save-bar.tsx';
import { TermsCard } from './terms-card.tsx';
import { draftOf, isSame, typedFrom, type TypedWeek } from './week-draft.ts';
import { WeekCard } from './week-card.tsx';

export interface SaveAttempt {
  draft: AvailabilityDraft;
  view: AvailabilityView;
  /** True if the form is invalid and `draft` is its last valid state. */
  held: boolean;
}

/** Week, rest, time zone and terms save together; dates and holidays save immediately. */
export function AvailabilityEditor({
  view,
  onUnsaved,
  onNews,
  children,
}: {
  view: AvailabilityView;
  onUnsaved: (unsaved: boolean) => void;
  onNews: (news: string) => void;
  children: (tried: SaveAttempt) => ReactNode;
}) {
  const form = useRef<HTMLDivElement>(null);
  const aside = useRef<HTMLDivElement>(null);
  const [discarding, setDiscarding] = useState(false);
  const edited = useEditedWeek(view);
  const { base, week, past, isUnsaved, setEdited, makesSense, sensible } = edited;
  const { problems, failure, isPending, recheck, settle, save, settleConflict } = useWeekSave(edited, view, {
    onUnsaved,
    onProblems(count) {
      onNews(m.availability_news_problems({ count }));
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    },
  });

  const put = (next: TypedWeek, before: EditedWeek['past']) => {
    const from = isUnsaved ? base : view;
    setEdited({ base: from, week: next, past: before });
    onUnsaved(!isSame(next, typedFrom(from)));
    recheck(next);
  };
  const change = (next: TypedWeek) => put(next, past);
  const undo = () => put({ ...week, days: past.at(-1)! }, past.slice(0, -1));
  const seePreview = () => {
    aside.current?.querySelector('details')?.setAttribute('open', '');
    aside.current?.scrollIntoView({ block: 'start' });
    aside.current?.focus({ preventScroll: true });
  };

  const overtaken = !isPending && view.version > base.version;
  const part = {
    week,
    view,
    problems,
    onChange: change,
    onAct: (next: TypedWeek) => put(next, [...past, week.days]),
    onUndo: past.length > 0 ? undo : undefined,
    onNews,
  };
  return (
    <>
      <div className="grid items-start gap-4 sm:gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Cards ref={form} {...part} />
        <PreviewColumn ref={aside}>
          {children({ draft: draftOf(sensible.week).draft, view, held: !makesSense })}
        </PreviewColumn>
      </div>
      {isUnsaved && (
        <SaveBar busy={isPending} onSave={save} onDiscard={() => setDiscarding(true)} onPreview={seePreview}>
          <SaveNotices
            failure={failure}
            overtaken={overtaken}
            onTheirs={() => void settleConflict(false)}
            onMine={() => void settleConflict(true)}
          />
        </SaveBar>
      )}
      <DiscardDialog
        open={discarding}
        onOpenChange={setDiscarding}
        onConfirm={() => {
          setDiscarding(false);
          settle();
        }}
      />
    </>
  );
}

function Cards({ ref, ...part }: ComponentProps<typeof WeekCard> & { ref: Ref<HTMLDivElement> }) {
  const { view, onNews } = part;
  return (
    <div ref={ref} className="grid min-w-0 gap-4 sm:gap-6">
      <WeekCard {...part} />
      <div className="grid items-start gap-4 sm:gap-6 lg:grid-cols-[10fr_11fr]">
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <DatesCard view={view} onNews={onNews} />
          <HolidaysCard onNews={onNews} />
        </div>
        <div className="grid min-w-0 gap-4 sm:gap-6">
          <RestCard {...part} />
          <TermsCard {...part} />
        </div>
      </div>
    </div>
  );
}

function PreviewColumn({ ref, children }: { ref: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div
      ref={ref}
      tabIndex={-1}
      className="min-w-0 scroll-mt-20 outline-none xl:sticky xl:top-20 xl:max-h-[calc(100dvh-10rem)] xl:overflow-y-auto"
    >
      {children}
    </div>
  );
}

function SaveNotices({
  failure,
  overtaken,
  onTheirs,
  onMine,
}: {
  failure: SaveFailure | null;
  /** Another window saved since. */
  overtaken: boolean;
  onTheirs: () => void;
  onMine: () => void;
}) {
  return (
    <>
      {failure?.kind === 'failed' && (
        <Notice tone="destructive" title={m.web_save_failed()}>
          {failure.text} {m.availability_failed_kept()}
        </Notice>
      )}
      {(failure?.kind === 'conflict' || overtaken) && (
        <Notice
          tone="destructive"
          title={m.availability_conflict()}
          action={
            <>
              <Button variant="secondary" size="sm" onClick={onTheirs}>
                {m.availability_conflict_theirs()}
              </Button>
              <Button size="sm" onClick={onMine}>
                {m.availability_conflict_mine()}
              </Button>
            </>
          }
        >
          {m.availability_conflict_text()}
        </Notice>
      )}
    </>
  );
}

function DiscardDialog({
  open,
  onOpenChange,
  onConfirm,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}) {
  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={m.availability_discard_title()}
      description={m.availability_discard_text()}
      cancelLabel={m.availability_discard_stay()}
      confirmLabel={m.availability_discard()}
      onConfirm={onConfirm}
    />
  );
}
