import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';
import { failureReason, failureText, isRefusal } from '#/web/failures.ts';
import type { AvailabilityView } from '../contract.ts';
import { useAvailability } from './availability-queries.ts';
import { refusedProblems, typedProblems, type Problems } from './problem-texts.ts';
import { draftOf, isSame, typedFrom, type TypedWeek } from './week-draft.ts';

export interface EditedWeek {
  base: AvailabilityView;
  week: TypedWeek;
  /** The days before each undoable change. */
  past: readonly TypedWeek['days'][];
}

/** The edited week, and the last one that makes sense for the preview. */
export function useEditedWeek(view: AvailabilityView) {
  const [edited, setEdited] = useState<EditedWeek | null>(null);
  const stored = useMemo(() => typedFrom(view), [view]);
  const base = edited?.base ?? view;
  const isUnsaved = edited !== null && !isSame(edited.week, typedFrom(edited.base));
  // Without unsaved changes, follow saves from other windows.
  const week = edited && (isUnsaved || edited.base.version === view.version) ? edited.week : stored;
  const current = typedProblems(week, view);
  const makesSense = Object.keys(current).length === 0;
  const [sensible, setSensible] = useState({ week, of: view.version });
  if (makesSense && sensible.week !== week) setSensible({ week, of: view.version });
  const past = edited?.week === week ? edited.past : [];
  return { base, week, past, isUnsaved, setEdited, current, makesSense, sensible };
}

export type SaveFailure = { kind: 'conflict' } | { kind: 'failed'; text: string };

const nothing: Problems = {};

/** Saves the edited week, or shows its problems. */
export function useWeekSave(
  { base, week, past, setEdited, current, makesSense }: ReturnType<typeof useEditedWeek>,
  view: AvailabilityView,
  {
    onUnsaved,
    onProblems,
  }: {
    onUnsaved: (unsaved: boolean) => void;
    /** Called once they're shown. */
    onProblems: (count: number) => void;
  },
) {
  const { show, fetch } = useAvailability();
  const [problems, setProblems] = useState(nothing);
  /** After a rejected save, revalidates on every change. */
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const latest = useRef(week);
  useEffect(() => {
    latest.current = week;
  });

  const recheck = (next: TypedWeek) => {
    if (tried) setProblems(typedProblems(next, view));
    if (failure?.kind === 'failed') setFailure(null);
  };
  const settle = () => {
    setEdited(null);
    setProblems(nothing);
    setTried(false);
    setFailure(null);
    onUnsaved(false);
  };
  const showProblems = (found: Problems) => {
    flushSync(() => {
      setTried(true);
      setProblems(found);
    });
    onProblems(Object.keys(found).length);
  };

  const { mutate, isPending } = useMutation({
    mutationFn: ({ version, sent }: { version: number; sent: TypedWeek }) =>
      api.availability.save.call({ ...draftOf(sent).draft, version }),
    onSuccess: (saved, { sent }) => {
      show(saved);
      const typedSince = latest.current !== sent;
      if (typedSince) setEdited((last) => last && { ...last, base: saved });
      else settle();
      toast.done(m.availability_saved(), m.availability_saved_text());
    },
    onError: (error) => {
      if (failureReason(error) === 'changed_meanwhile') {
        setFailure({ kind: 'conflict' });
        return;
      }
      const refused = isRefusal(error)
        ? refusedProblems(error.fields, draftOf(week).keys, view.site)
        : nothing;
      if (Object.keys(refused).length > 0) showProblems(refused);
      else setFailure({ kind: 'failed', text: failureText(error) });
    },
  });
  const save = () => {
    setFailure(null);
    if (makesSense) mutate({ version: base.version, sent: week });
    else showProblems(current);
  };
  /** Overwrites the other window's save if `mine`, else discards local changes. */
  const settleConflict = async (mine: boolean) => {
    try {
      const theirs = await fetch();
      if (!mine) return settle();
      setFailure(null);
      setEdited({ base: theirs, week, past });
      mutate({ version: theirs.version, sent: week });
    } catch (error) {
      setFailure({ kind: 'failed', text: failureText(error) });
    }
  };
  return { problems, failure, isPending, recheck, settle, save, settleConflict };
}
