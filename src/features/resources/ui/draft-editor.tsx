import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BookOpenText, Globe, Paperclip } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Select, Textarea, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { AuthoredResource, ResourceForm, ResourceType, resourcesContract } from '../contract.ts';
import {
  draftOf,
  problemText,
  refusedErrors,
  typedErrors,
  typedOf,
  type DraftErrors,
  type Typed,
} from './draft-form.ts';
import { FileField } from './file-field.tsx';
import { ResourceCover } from './resource-cover.tsx';
import { ResourceText } from './resource-text.tsx';
import { categories, categoryNames, typeNames } from './resource-texts.ts';

const forms: readonly {
  value: ResourceForm;
  label: () => string;
  description: () => string;
  icon: ReactNode;
}[] = [
  {
    value: 'article',
    label: m.resources_form_article,
    description: m.resources_form_article_text,
    icon: <BookOpenText />,
  },
  {
    value: 'file',
    label: m.resources_form_file,
    description: m.resources_form_file_text,
    icon: <Paperclip />,
  },
  { value: 'link', label: m.resources_form_link, description: m.resources_form_link_text, icon: <Globe /> },
];

const problemId = 'draft-problem';

/** Writes a new resource, or changes a draft: saved as it is, or sent in when it is whole. */
export function DraftEditor({
  draft,
  name,
  decides,
  onSaved,
  onSent,
}: {
  draft: AuthoredResource | null;
  /** Of the person who writes. */
  name: string;
  /** They publish what they write themselves. */
  decides: boolean;
  /** Called when a new draft has got its id. */
  onSaved: (id: string) => void;
  onSent: () => void;
}) {
  const api = useApi<{ resources: typeof resourcesContract }>();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [stored, setStored] = useState(draft);
  const [typed, setTyped] = useState<Typed>(() => typedOf(draft, name));
  const [errors, setErrors] = useState<DraftErrors>({});
  const [problem, setProblem] = useState<{ title: string; text: string } | null>(null);
  const [focusError, setFocusError] = useState(0);
  const form = useRef<HTMLFormElement>(null);

  // The first field that is wrong, once its sentence stands under it.
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
  const changed = (row: AuthoredResource) => {
    setStored(row);
    void queries.invalidateQueries({ queryKey: api.resources.authored.key() });
    return row;
  };

  /** Saves what was typed; null where something is wrong with it. */
  const save = async (): Promise<AuthoredResource | null> => {
    setProblem(null);
    const found = typedErrors(typed);
    setErrors(found);
    if (Object.keys(found).length > 0) {
      refuse(found);
      return null;
    }
    const row = changed(await api.resources.saveDraft.call(draftOf(typed, stored?.id ?? null)));
    if (!stored) onSaved(row.id);
    return row;
  };
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (row) => row && toast({ tone: 'success', title: m.resources_saved() }),
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
  /** A file belongs to a draft, which is saved for it first. */
  const idForFile = async (): Promise<string | null> => {
    try {
      return (await save())?.id ?? null;
    } catch (error) {
      fail(error);
      return null;
    }
  };
  const busy = saving.isPending || sending.isPending;
  const wrong = (field: keyof DraftErrors) => (errors[field] ? { 'data-wrong': '' } : {});

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
      <div {...wrong('title')}>
        <Field label={m.resources_field_title()} error={errors.title}>
          <TextInput
            name="title"
            maxLength={200}
            value={typed.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        </Field>
      </div>
      <div {...wrong('author')}>
        <Field
          label={m.resources_field_author()}
          hint={m.resources_field_author_hint()}
          error={errors.author}
        >
          <TextInput
            name="author"
            maxLength={200}
            value={typed.author}
            onChange={(event) => set({ author: event.target.value })}
          />
        </Field>
      </div>
      <div {...wrong('type')}>
        <ChoiceGroup<ResourceType>
          legend={m.resources_field_type()}
          layout="chips"
          choices={(Object.keys(typeNames) as ResourceType[]).map((value) => ({
            value,
            label: typeNames[value](),
          }))}
          value={typed.type}
          onChange={(type) => set({ type })}
          error={errors.type}
        />
      </div>
      <div className="grid gap-6 sm:grid-cols-2">
        <div {...wrong('category')}>
          <Field label={m.resources_field_category()} error={errors.category}>
            <Select
              name="category"
              value={typed.category ?? ''}
              onChange={(event) =>
                set({ category: categories.find((one) => one === event.target.value) ?? null })
              }
            >
              <option value="">{m.resources_field_category_choose()}</option>
              {categories.map((one) => (
                <option key={one} value={one}>
                  {categoryNames[one]()}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div {...wrong('duration')}>
          <Field label={m.resources_field_duration()} optional error={errors.duration}>
            <TextInput
              name="duration"
              inputMode="numeric"
              maxLength={4}
              value={typed.duration}
              onChange={(event) => set({ duration: event.target.value })}
            />
          </Field>
        </div>
      </div>
      <div {...wrong('description')}>
        <Field
          label={m.resources_field_description()}
          hint={m.resources_field_description_hint()}
          error={errors.description}
        >
          <Textarea
            name="description"
            rows={3}
            maxLength={1_000}
            value={typed.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        </Field>
      </div>
      <div {...wrong('form')}>
        <ChoiceGroup<ResourceForm>
          legend={m.resources_field_form()}
          choices={forms.map(({ value, label, description, icon }) => ({
            value,
            label: label(),
            description: description(),
            icon,
          }))}
          value={typed.form}
          onChange={(next) => set({ form: next })}
          error={errors.form}
        />
      </div>
      {typed.form === 'article' && (
        <div className="grid items-start gap-6 lg:grid-cols-2" {...wrong('body')}>
          <Field label={m.resources_field_body()} hint={m.resources_field_body_hint()} error={errors.body}>
            <Textarea
              name="body"
              rows={14}
              className="min-h-80"
              value={typed.body}
              onChange={(event) => set({ body: event.target.value })}
            />
          </Field>
          <section aria-labelledby="preview">
            <h2 id="preview" className="mb-1.5 font-sans text-base font-semibold">
              {m.resources_preview()}
            </h2>
            <Card>
              {typed.body.trim() ? (
                <ResourceText body={typed.body} />
              ) : (
                <p className="text-quiet">{m.resources_preview_empty()}</p>
              )}
            </Card>
          </section>
        </div>
      )}
      {typed.form === 'file' && (
        <div {...wrong('file')}>
          <FileField
            part="file"
            label={m.resources_field_file()}
            hint={m.resources_field_file_hint()}
            accept=".pdf,audio/*,video/mp4,video/webm"
            now={stored?.file?.name ?? null}
            error={errors.file}
            resourceId={idForFile}
            onStored={changed}
            onError={(error) => {
              const found = refusedErrors(error);
              if (found) setErrors((last) => ({ ...last, file: found.file }));
              else setProblem(problemText(error));
            }}
          />
        </div>
      )}
      {typed.form === 'link' && (
        <div {...wrong('url')}>
          <Field label={m.resources_field_url()} hint={m.resources_field_url_hint()} error={errors.url}>
            <TextInput
              name="url"
              type="url"
              inputMode="url"
              maxLength={2_000}
              value={typed.url}
              onChange={(event) => set({ url: event.target.value })}
            />
          </Field>
        </div>
      )}
      <div className="grid items-start gap-6 sm:grid-cols-[12rem_1fr]" {...wrong('cover')}>
        <ResourceCover
          resource={{
            type: typed.type ?? 'book',
            category: typed.category ?? 'individual-healing',
            cover: stored?.cover ?? null,
          }}
          className="rounded-card"
        />
        <FileField
          part="cover"
          label={m.resources_field_cover()}
          hint={m.resources_field_cover_hint()}
          accept="image/jpeg,image/png,image/webp"
          now={null}
          error={errors.cover}
          resourceId={idForFile}
          onStored={changed}
          onError={(error) => {
            const found = refusedErrors(error);
            if (!found) return setProblem(problemText(error));
            const reason = coverReason(error);
            setErrors((last) => ({ ...last, cover: reason ?? found.file }));
          }}
          optional
        />
      </div>
      <div id={problemId}>
        {problem && (
          <Notice tone="destructive" title={problem.title}>
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

/** A picture has kinds of its own. */
function coverReason(error: unknown): string | null {
  const fields = (error as { fields?: readonly { reason: string }[] }).fields ?? [];
  return fields.some(({ reason }) => reason === 'file_type') ? m.resources_error_cover_type() : null;
}
