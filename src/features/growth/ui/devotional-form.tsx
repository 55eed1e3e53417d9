import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/growth.devotionals.edit';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureCode } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { deviceZone } from '#/kernel/date-text.ts';
import { momentText } from '#/web/times.ts';
import type { DevotionalEntry } from '../devotionals/contract.ts';
import { dayText } from '../devotionals/rules.ts';

const parts = ['title', 'reference', 'text', 'thought', 'prayer'] as const;
type Values = Record<(typeof parts)[number], string>;

/** Keeps unsaved text when another editor saves first. */
export function DevotionalForm({ entry }: { entry: DevotionalEntry }) {
  const queries = useQueryClient();
  /** The version being edited. */
  const [version, setVersion] = useState(entry.version);
  const [conflict, setConflict] = useState(false);

  const showSaved = (saved: DevotionalEntry) => {
    queries.setQueryData(api.growth.devotionals.entry.queryKey({ input: { day: saved.day } }), saved);
    form.reset(valuesOf(saved));
    setVersion(saved.version);
    setConflict(false);
  };
  const form = useForm<Values>({
    values: valuesOf(entry),
    limits,
    sentence: (_, reason) => (reason === 'required' ? m.web_fill_in() : m.devotionals_admin_bad()),
    failureText: (error) =>
      failureCode(error) === 'conflict'
        ? m.devotionals_admin_conflict_text()
        : m.devotionals_admin_failed_text(),
    save: async (values) => {
      setConflict(false);
      try {
        const saved = await api.growth.devotionals.edit.call({ day: entry.day, version, ...values });
        showSaved(saved);
        void queries.invalidateQueries({ queryKey: api.growth.devotionals.year.key() });
        toast.done(m.devotionals_admin_saved({ day: dayText(saved.day) }), m.devotionals_admin_saved_text());
      } catch (error) {
        setConflict(failureCode(error) === 'conflict');
        throw error;
      }
    },
  });
  const { register, errorOf, failure, busy } = form;
  const reload = useMutation({
    mutationFn: () => api.growth.devotionals.entry.call({ day: entry.day }),
    onSuccess: (fresh) => {
      showSaved(fresh);
      form.props.ref.current?.querySelector<HTMLElement>('[name=title]')?.focus();
    },
  });

  const control = (part: keyof Values) => ({ ...register(part), required: true });
  return (
    <form {...form.props} className="mt-3 grid gap-4">
      <Field label={m.devotionals_admin_field_title()} error={errorOf('title')}>
        <TextInput {...control('title')} />
      </Field>
      <Field
        label={m.devotionals_admin_field_reference()}
        hint={m.devotionals_admin_field_reference_hint()}
        error={errorOf('reference')}
      >
        <TextInput {...control('reference')} />
      </Field>
      <Field
        label={m.devotionals_admin_field_text()}
        hint={m.devotionals_admin_field_text_hint()}
        error={errorOf('text')}
      >
        <Textarea {...control('text')} rows={5} />
      </Field>
      <Field label={m.devotionals_admin_field_thought()} error={errorOf('thought')}>
        <Textarea {...control('thought')} rows={3} />
      </Field>
      <Field label={m.devotionals_admin_field_prayer()} error={errorOf('prayer')}>
        <Textarea {...control('prayer')} rows={2} />
      </Field>
      {failure && (
        <Notice
          tone="destructive"
          title={conflict ? m.devotionals_admin_conflict() : m.web_save_failed()}
          action={
            conflict && (
              <Button variant="secondary" size="sm" busy={reload.isPending} onClick={() => reload.mutate()}>
                {m.devotionals_admin_reload()}
              </Button>
            )
          }
        >
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-quiet">{editedText(entry)}</p>
        <Button type="submit" busy={busy} busyLabel={m.devotionals_admin_saving()} className="max-sm:w-full">
          {m.devotionals_admin_save()}
        </Button>
      </div>
    </form>
  );
}

function editedText({ editedAt, editedBy }: DevotionalEntry): string {
  if (!editedAt) return '';
  const when = momentText(editedAt, deviceZone());
  return editedBy
    ? m.devotionals_admin_edited_by({ when, name: editedBy })
    : m.devotionals_admin_edited_at({ when });
}

function valuesOf(entry: DevotionalEntry): Values {
  return Object.fromEntries(parts.map((part) => [part, entry[part]])) as Values;
}
