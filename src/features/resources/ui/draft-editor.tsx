import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { AuthoredResource } from '../library/contract.ts';
import { DraftAbout } from './draft-about.tsx';
import { DraftCover } from './draft-cover.tsx';
import {
  draftOf,
  problemText,
  refusedErrors,
  refusedFile,
  typedErrors,
  typedOf,
  type DraftErrors,
  type DraftProblem,
  type Typed,
} from './draft-form.ts';
import { DraftSubstance } from './draft-substance.tsx';

const problemId = 'draft-problem';

export function DraftEditor({
  draft,
  name,
  decides,
  onSaved,
  onSent,
}: {
  draft: AuthoredResource | null;
  name: string;
  /** They may publish their own work. */
  decides: boolean;
  onSaved: (id: string) => void;
  onSent: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [stored, setStored] = useState(draft);
  const [typed, setTyped] = useState<Typed>(() => typedOf(draft, name));
  const [errors, setErrors] = useState<DraftErrors>({});
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  const [focusError, setFocusError] = useState(0);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (focusError === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>('[data-wrong] :is(input, textarea, select)');
    wrong?.focus();
    if (!wrong) document.getElementById(problemId)?.scrollIntoView({ block: 'center' });
  }, [focusError]);

  const set = (change: Partial<Typed>) => {
    setTyped((last) => ({ ...last, ...change }));
    setErrors((last) => Object.fromEntries(Object.entries(last).filter(([field]) => !(field in change))));
  };
  const refuse = (found: DraftErrors) => {
    setErrors(found);
    setFocusError((count) => count + 1);
  };
  const fail = (error: unknown) => {
    const found = refusedErrors(error);
    if (found) refuse(found);
    else {
      setProblem(problemText(error));
      setFocusError((count) => count + 1);
    }
  };
  const failFile = (part: 'file' | 'cover', error: unknown) => {
    const found = refusedFile(part, error);
    if (found) setErrors((last) => ({ ...last, [part]: found }));
    else setProblem(problemText(error));
  };
  const changed = (row: AuthoredResource) => {
    // Keeps the later version if responses arrive out of order.
    setStored((last) => (last && last.version > row.version ? last : row));
    void queries.invalidateQueries({ queryKey: api.resources.authored.key() });
    return row;
  };

  /** Saves over the version last seen; returns null if validation fails. */
  const save = async (seen = stored): Promise<AuthoredResource | null> => {
    setProblem(null);
    const found = typedErrors(typed);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      refuse(found);
      return null;
    }
    const row = changed(await api.resources.saveDraft.call(draftOf(typed, seen)));
    if (!seen) onSaved(row.id);
    return row;
  };
  const told = {
    onSuccess: (row: AuthoredResource | null) =>
      row && toast({ tone: 'success', title: m.resources_saved() }),
    onError: fail,
  };
  const saving = useMutation({ mutationFn: () => save(), ...told });
  const asStored = () => api.resources.authoredOne.call({ resourceId: stored!.id });
  /** Another window saved first: overwrite its version or load it. */
  const overwriting = useMutation({ mutationFn: async () => save(await asStored()), ...told });
  const loading = useMutation({
    mutationFn: asStored,
    onSuccess: (row) => {
      changed(row);
      setTyped(typedOf(row, name));
      setErrors({});
      setProblem(null);
    },
    onError: fail,
  });
  const sending = useMutation({
    mutationFn: async () => {
      const row = await save();
      if (!row) return null;
      const { submit, publish } = api.resources;
      return changed(await (decides ? publish : submit).call({ resourceId: row.id }));
    },
    onSuccess: (row) => {
      if (!row) return;
      toast(
        decides
          ? { tone: 'success', title: m.resources_published() }
          : {
              tone: 'success',
              title: m.resources_submitted(),
              description: m.resources_submitted_text(),
            },
      );
      onSent();
    },
    onError: fail,
  });
  /** Files need a stored draft, so this saves it first. */
  const idForFile = async (): Promise<string | null> => {
    try {
      return (await save())?.id ?? null;
    } catch (error) {
      fail(error);
      return null;
    }
  };
  const busy = saving.isPending || sending.isPending || overwriting.isPending || loading.isPending;
  const part = { typed, errors, set };
  const files = { resourceId: idForFile, onStored: changed };

  return (
    <form
      ref={form}
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) sending.mutate();
      }}
    >
      {stored?.rejectReason && (
        <Notice title={m.resources_author_reason()}>
          <p className="whitespace-pre-line wrap-anywhere">{stored.rejectReason}</p>
        </Notice>
      )}
      <DraftAbout {...part} />
      <DraftSubstance
        {...part}
        {...files}
        fileName={stored?.file?.name ?? null}
        onFileError={(error) => failFile('file', error)}
      />
      <DraftCover
        {...part}
        {...files}
        cover={stored?.cover ?? null}
        onFileError={(error) => failFile('cover', error)}
      />
      <div id={problemId}>
        {problem && (
          <Notice
            tone="destructive"
            title={problem.title}
            action={
              problem.elsewhere && (
                <>
                  <Button
                    variant="secondary"
                    size="sm"
                    busy={overwriting.isPending}
                    onClick={() => overwriting.mutate()}
                  >
                    {m.resources_elsewhere_overwrite()}
                  </Button>
                  <Button
                    variant="secondary"
                    size="sm"
                    busy={loading.isPending}
                    onClick={() => loading.mutate()}
                  >
                    {m.resources_elsewhere_load()}
                  </Button>
                </>
              )
            }
          >
            {problem.text}
          </Notice>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={sending.isPending}>
          {decides ? m.resources_publish() : m.resources_submit()}
        </Button>
        <Button
          variant="secondary"
          busy={saving.isPending}
          onClick={() => {
            if (!busy) saving.mutate();
          }}
        >
          {m.resources_save()}
        </Button>
      </div>
    </form>
  );
}
