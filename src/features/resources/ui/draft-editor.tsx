import { useEffect, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChangedElsewhere } from '#/web/components/changed-elsewhere.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { useDraftEditing, type DraftEditing, type DraftOptions } from './draft-editing.ts';
import { draftFailure, type DraftPart } from './draft-form.ts';
import { FileField, type FileTarget } from './file-field.tsx';
import { ResourceCover } from './resource-cover.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import {
  Field,
  Textarea,
  TextInput,
  TextField,
  TextareaField,
  SelectField,
} from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import type { ResourceType, ResourceForm } from '../library/contract.ts';
import { categories, categoryNames, typeNames } from './resource-texts.ts';
import { BookOpenText, Globe, Paperclip } from 'lucide-react';
import { Card, Section } from '#/web/components/card.tsx';
import { ResourceText } from './resource-text.tsx';

export function DraftEditor(options: DraftOptions) {
  const editing = useDraftEditing(options);
  const { form, stored, unsaved, target, doing } = editing;
  return (
    <form {...form.props} className="grid gap-6">
      <LeaveGuard unsaved={unsaved} />
      {stored?.rejectReason && (
        <Notice title={m.resources_author_reason()}>
          <p className="whitespace-pre-line wrap-anywhere">{stored.rejectReason}</p>
        </Notice>
      )}
      <DraftAbout form={form} />
      <DraftSubstance form={form} target={target} fileName={stored?.file?.name ?? null} />
      <DraftCover form={form} target={target} cover={stored?.cover ?? null} />
      <Problem {...editing} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={doing === 'send'}>
          {options.decides ? m.resources_publish() : m.web_send_for_approval()}
        </Button>
        <Button variant="secondary" busy={doing === 'save'} onClick={editing.save}>
          {m.resources_save()}
        </Button>
      </div>
    </form>
  );
}

const problemId = 'draft-problem';

function Problem({ form: { failure, error }, overwrite, load, doing }: DraftEditing) {
  useEffect(() => {
    if (error !== null) document.getElementById(problemId)?.scrollIntoView({ block: 'center' });
  }, [error]);
  const problem = failure ? draftFailure(error) : null;
  return (
    <div id={problemId}>
      {problem?.elsewhere ? (
        <ChangedElsewhere
          onOverwrite={overwrite}
          onLoad={load}
          busy={doing === 'overwrite' || doing === 'load' ? doing : null}
        />
      ) : (
        <FailureAlert title={problem?.title} text={problem?.text} />
      )}
    </div>
  );
}

function DraftCover({
  form: { errorOf, watch },
  target,
  cover,
}: DraftPart & { target: FileTarget; cover: string | null }) {
  const [type, category] = watch(['type', 'category']);
  return (
    <div className="grid items-start gap-6 sm:grid-cols-[12rem_1fr]">
      <ResourceCover
        resource={{ type: type ?? 'book', category: category || 'individual-healing', cover }}
        className="rounded-card"
      />
      <FileField
        part="cover"
        label={m.resources_field_cover()}
        hint={m.resources_field_cover_hint()}
        accept="image/jpeg,image/png,image/webp"
        now={null}
        error={errorOf('cover')}
        target={target}
        optional
      />
    </div>
  );
}

function DraftAbout({ form: { field, register, choice, errorOf } }: DraftPart) {
  return (
    <>
      <TextField label={m.resources_field_title()} {...field('title')} />
      <TextField label={m.resources_field_author()} {...field('author')} />
      <ChoiceGroup<ResourceType>
        legend={m.resources_field_type()}
        layout="chips"
        choices={(Object.keys(typeNames) as ResourceType[]).map((value) => ({
          value,
          label: typeNames[value](),
        }))}
        {...choice('type')}
        error={errorOf('type')}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <SelectField label={m.web_category()} {...field('category')}>
          <option value="">{m.resources_field_category_choose()}</option>
          <Options of={categories} text={(one) => categoryNames[one]()} />
        </SelectField>
        <Field label={m.resources_field_duration()} optional error={errorOf('durationMinutes')}>
          <TextInput {...register('durationMinutes')} inputMode="numeric" />
        </Field>
      </div>
      <TextareaField
        label={m.resources_field_description()}
        hint={m.resources_field_description_hint()}
        {...field('description')}
        rows={3}
      />
    </>
  );
}

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

function DraftSubstance({
  form: { register, choice, errorOf, watch },
  target,
  fileName,
}: DraftPart & { target: FileTarget; fileName: string | null }) {
  const [form, body] = watch(['form', 'body']);
  const hidden = Object.entries({ article: 'body', file: 'file', link: 'url' }).map(([of, field]) =>
    of === form ? undefined : errorOf(field),
  );
  return (
    <>
      <ChoiceGroup<ResourceForm>
        legend={m.resources_field_form()}
        choices={forms.map(({ value, label, description, icon }) => ({
          value,
          label: label(),
          description: description(),
          icon,
        }))}
        {...choice('form')}
        error={errorOf('form') ?? hidden.find(Boolean)}
      />
      {form === 'article' && (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Field
            label={m.resources_field_body()}
            hint={m.resources_field_body_hint()}
            error={errorOf('body')}
          >
            <Textarea {...register('body')} rows={14} className="min-h-80" />
          </Field>
          <Section title={m.resources_preview()} titleClassName="mb-1.5 font-sans text-base font-semibold">
            <Card>
              {body.trim() ? (
                <ResourceText body={body} />
              ) : (
                <p className="text-quiet">{m.resources_preview_empty()}</p>
              )}
            </Card>
          </Section>
        </div>
      )}
      {form === 'file' && (
        <FileField
          part="file"
          label={m.resources_field_file()}
          hint={m.resources_field_file_hint()}
          accept=".pdf,audio/*,video/mp4,video/webm"
          now={fileName}
          error={errorOf('file')}
          target={target}
        />
      )}
      {form === 'link' && (
        <Field label={m.resources_field_url()} hint={m.resources_field_url_hint()} error={errorOf('url')}>
          <TextInput {...register('url')} type="url" inputMode="url" />
        </Field>
      )}
    </>
  );
}
