import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import draftLimits from 'virtual:limits/resources.saveDraft';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { useForm, type Form } from '#/web/form.tsx';
import type { AuthoredResource } from '../library/contract.ts';
import {
  draftErrors,
  draftOf,
  draftSentence,
  draftValues,
  problemText,
  type DraftValues,
} from './draft-form.ts';
import type { FileTarget } from './file-field.tsx';

// An address that isn't shown mustn't keep the draft from being saved.
const { url: _, ...limits } = draftLimits;

type Doing = 'send' | 'save' | 'overwrite' | 'attach';

export interface DraftOptions {
  draft: AuthoredResource | null;
  name: string;
  /** They may publish their own work. */
  decides: boolean;
  onSaved: (id: string) => void;
  onSent: () => void;
}

export interface DraftEditing {
  form: Form<DraftValues>;
  stored: AuthoredResource | null;
  target: FileTarget;
  save: () => void;
  /** Another window saved first: overwrites its version or loads it. */
  overwrite: () => void;
  load: () => void;
  /** What is running. */
  doing: Doing | 'load' | null;
}

/** Manages a draft's form, and saves over the version last seen. */
export function useDraftEditing({ draft, name, decides, onSaved, onSent }: DraftOptions): DraftEditing {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [stored, setStored] = useState(draft);
  const [doing, setDoing] = useState<Doing>('send');
  const onStored = (row: AuthoredResource) => {
    // Keeps the later version if responses arrive out of order.
    setStored((last) => (last && last.version > row.version ? last : row));
    void queries.invalidateQueries({ queryKey: api.resources.authored.key() });
  };
  const store = async (values: DraftValues, seen = stored): Promise<string> => {
    const row = await api.resources.saveDraft.call(draftOf(values, seen));
    onStored(row);
    if (!seen) onSaved(row.id);
    return row.id;
  };
  const send = async (values: DraftValues) => {
    const { submit, publish } = api.resources;
    onStored(await (decides ? publish : submit).call({ resourceId: await store(values) }));
    toast(
      decides
        ? { tone: 'success', title: m.resources_published() }
        : { tone: 'success', title: m.resources_submitted(), description: m.resources_submitted_text() },
    );
    onSent();
  };
  const form = useForm<DraftValues>({
    values: draftValues(draft, name),
    limits,
    sentence: draftSentence,
    check: draftErrors,
    failureText: (error) => problemText(error).text,
    save: send,
  });
  const run = async (what: Doing, act: (values: DraftValues) => Promise<unknown>) => {
    setDoing(what);
    await form.submit(act);
    setDoing('send');
  };
  const save = (what: Doing, seenNow: () => Promise<AuthoredResource | null>) =>
    void run(what, async (values) => {
      await store(values, await seenNow());
      toast({ tone: 'success', title: m.resources_saved() });
    });
  const asStored = () => api.resources.authoredOne.call({ resourceId: stored!.id });
  const loading = useMutation({
    mutationFn: asStored,
    onSuccess: (row) => {
      onStored(row);
      form.reset(draftValues(row, name));
    },
    onError: form.fail,
  });
  const resourceId = async () => {
    let id: string | null = null;
    await run('attach', async (values) => {
      id = await store(values);
    });
    return id;
  };
  return {
    form,
    stored,
    target: { resourceId, onStored, onError: form.fail },
    save: () => save('save', () => Promise.resolve(stored)),
    overwrite: () => save('overwrite', asStored),
    load: () => loading.mutate(),
    doing: loading.isPending ? 'load' : form.busy ? doing : null,
  };
}
