import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import { oneLine, severalLines } from '#/kernel/text.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { failureCode, isRefusal } from '#/web/failures.ts';
import { deviceZone } from '#/web/device-zone.ts';
import { spokenMomentText } from '#/web/times.ts';
import type { DevotionalEntry } from '../devotionals/contract.ts';
import { dayText } from '../devotionals/rules.ts';

const parts = ['title', 'reference', 'text', 'thought', 'prayer'] as const;
type Part = (typeof parts)[number];
type Typed = Readonly<Record<Part, string>>;
type Faults = Partial<Record<Part, string>>;

const most: Readonly<Record<Part, number>> = {
  title: 200,
  reference: 100,
  text: 2_000,
  thought: 1_000,
  prayer: 1_000,
};

/** Keeps unsaved text when another editor saves first. */
export function DevotionalForm({ entry }: { entry: DevotionalEntry }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Typed>(entry);
  /** The version being edited. */
  const [version, setVersion] = useState(entry.version);
  const [faults, setFaults] = useState<Faults>({});
  const edit = useMutation(api.growth.devotionals.edit.mutationOptions());
  const conflict = failureCode(edit.error) === 'conflict';

  const showFaults = (found: Faults) => {
    setFaults(found);
    const first = parts.find((part) => found[part]);
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };
  const taken = (saved: DevotionalEntry) => {
    queries.setQueryData(api.growth.devotionals.entry.queryKey({ input: { day: saved.day } }), saved);
    setTyped(saved);
    setVersion(saved.version);
    setFaults({});
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = faultsOf(typed);
    showFaults(found);
    if (Object.keys(found).length > 0) return;
    const words = Object.fromEntries(parts.map((part) => [part, typed[part].trim()])) as Typed;
    edit.mutate(
      { day: entry.day, version, ...words },
      {
        onSuccess: (saved) => {
          taken(saved);
          void queries.invalidateQueries({ queryKey: api.growth.devotionals.year.key() });
          toast({
            tone: 'success',
            title: m.devotionals_admin_saved({ day: dayText(saved.day) }),
            description: m.devotionals_admin_saved_text(),
          });
        },
        onError: (error) => {
          if (!isRefusal(error)) return;
          showFaults(Object.fromEntries(error.fields.map(({ field }) => [field, m.devotionals_admin_bad()])));
        },
      },
    );
  };
  const reload = useMutation({
    mutationFn: () => api.growth.devotionals.entry.call({ day: entry.day }),
    onSuccess: (fresh) => {
      taken(fresh);
      edit.reset();
      form.current?.querySelector<HTMLElement>('[name=title]')?.focus();
    },
  });

  const control = (part: Part) => ({
    name: part,
    value: typed[part],
    maxLength: most[part],
    required: true,
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [part]: target.value }),
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="mt-3 grid gap-4">
      <Field label={m.devotionals_admin_field_title()} error={faults.title}>
        <TextInput {...control('title')} />
      </Field>
      <Field
        label={m.devotionals_admin_field_reference()}
        hint={m.devotionals_admin_field_reference_hint()}
        error={faults.reference}
      >
        <TextInput {...control('reference')} />
      </Field>
      <Field
        label={m.devotionals_admin_field_text()}
        hint={m.devotionals_admin_field_text_hint()}
        error={faults.text}
      >
        <Textarea {...control('text')} rows={5} />
      </Field>
      <Field label={m.devotionals_admin_field_thought()} error={faults.thought}>
        <Textarea {...control('thought')} rows={3} />
      </Field>
      <Field label={m.devotionals_admin_field_prayer()} error={faults.prayer}>
        <Textarea {...control('prayer')} rows={2} />
      </Field>
      {edit.isError && Object.keys(faults).length === 0 && (
        <Notice
          tone="destructive"
          title={conflict ? m.devotionals_admin_conflict() : m.devotionals_admin_failed()}
          action={
            conflict && (
              <Button variant="secondary" size="sm" busy={reload.isPending} onClick={() => reload.mutate()}>
                {m.devotionals_admin_reload()}
              </Button>
            )
          }
        >
          {conflict ? m.devotionals_admin_conflict_text() : m.devotionals_admin_failed_text()}
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-quiet">{editedText(entry)}</p>
        <Button
          type="submit"
          busy={edit.isPending}
          busyLabel={m.devotionals_admin_saving()}
          className="max-sm:w-full"
        >
          {m.devotionals_admin_save()}
        </Button>
      </div>
    </form>
  );
}

function editedText({ editedAt, editedBy }: DevotionalEntry): string {
  if (!editedAt) return '';
  const when = spokenMomentText(editedAt, deviceZone());
  return editedBy
    ? m.devotionals_admin_edited_by({ when, name: editedBy })
    : m.devotionals_admin_edited_at({ when });
}

/** Client-side validation; the server validates again. */
function faultsOf(typed: Typed): Faults {
  const found: Faults = {};
  for (const part of parts) {
    const value = typed[part].trim();
    const shape = part === 'title' || part === 'reference' ? oneLine : severalLines;
    if (value === '') found[part] = m.devotionals_admin_required();
    else if (!shape.test(value) || value.length > most[part]) found[part] = m.devotionals_admin_bad();
  }
  return found;
}
