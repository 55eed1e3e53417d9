import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type SyntheticEvent } from 'react';
import draftLimits from 'virtual:limits/resources.saveDraft';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useForm, type Form } from '#/web/form.tsx';
import { newKey } from '#/web/request-key.ts';
import type { AuthoredResource } from '../library/contract.ts';
import {
  draftErrors,
  draftOf,
  draftSentence,
  draftValues,
  draftFailure,
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
  unsaved: boolean;
  target: FileTarget;
  save: () => void;
  /** Another window saved first: overwrites or loads that. */
  overwrite: () => void;
  load: () => void;
  /** The running operation. */
  doing: Doing | 'load' | null;
}

/** Manages a draft's form, and saves over the version last seen. */
export function useDraftEditing({ draft, name, decides, onSaved, onSent }: DraftOptions): DraftEditing {
  const queries = useQueryClient();
  const [stored, setStored] = useState(draft);
  const [draftId] = useState(() => draft?.id ?? newKey());
  const [doing, setDoing] = useState<Doing>('send');
  /** Null: as loaded. */
  const [kept, setKept] = useState<DraftValues | null>(null);
  const [sent, setSent] = useState(false);
  const leave = useEffectEvent(onSent);
  useEffect(() => {
    if (sent) leave();
  }, [sent]);
  /** For saves queued before the last ended. */
  const latest = useRef(draft);
  const onStored = (row: AuthoredResource) => {
    // Responses may arrive out of order.
    if (latest.current && latest.current.version > row.version) return;
    latest.current = row;
    setStored(row);
    void queries.invalidateQueries({ queryKey: api.resources.authored.key() });
  };
  const store = async (values: DraftValues, seen = latest.current): Promise<string> => {
    const row = await api.resources.saveDraft.call(draftOf(values, seen ?? { id: draftId }));
    onStored(row);
    setKept({ ...values });
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
    setSent(true);
  };
  const form = useForm<DraftValues>({
    values: draftValues(draft, name),
    limits,
    sentence: draftSentence,
    check: draftErrors,
    failureText: (error) => draftFailure(error).text,
    save: send,
  });
  /** Saves run one after the other, because each needs the version that the one before stored. */
  const queue = useRef({ last: Promise.resolve(), waiting: new Set<Doing>() });
  const run = (what: Doing, act: (values: DraftValues) => Promise<unknown>): Promise<void> => {
    const { last, waiting } = queue.current;
    // A second press changes nothing; every chosen file is sent.
    if (what !== 'attach' && waiting.has(what)) return last;
    waiting.add(what);
    const next = async () => {
      await last;
      setDoing(what);
      await form.submit(act);
      setDoing('send');
      waiting.delete(what);
    };
    queue.current.last = next();
    return queue.current.last;
  };
  const save = (what: Doing, seenNow: () => Promise<AuthoredResource | null>) =>
    void run(what, async (values) => {
      await store(values, await seenNow());
      toast.done(m.resources_saved());
    });
  const asStored = () => api.resources.authoredOne.call({ resourceId: draftId });
  const loading = useMutation({
    mutationFn: asStored,
    onSuccess: (row) => {
      onStored(row);
      form.reset(draftValues(row, name));
      setKept(null);
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
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault();
    void run('send', send);
  };
  return {
    form: { ...form, props: { ...form.props, onSubmit } },
    stored,
    unsaved: !sent && (kept ? JSON.stringify(form.watch()) !== JSON.stringify(kept) : form.unsaved),
    target: { resourceId, onStored, onError: form.fail },
    save: () => save('save', () => Promise.resolve(latest.current)),
    overwrite: () => save('overwrite', asStored),
    load: () => loading.mutate(),
    doing: loading.isPending ? 'load' : form.busy ? doing : null,
  };
}
