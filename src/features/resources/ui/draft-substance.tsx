import { BookOpenText, Globe, Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import type { ResourceForm } from '../library/contract.ts';
import type { DraftPart } from './draft-form.ts';
import { FileField, type FileTarget } from './file-field.tsx';
import { ResourceText } from './resource-text.tsx';

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

export function DraftSubstance({
  form: { register, choice, errorOf, watch },
  target,
  fileName,
}: DraftPart & { target: FileTarget; fileName: string | null }) {
  const [form, body] = watch(['form', 'body']);
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
        error={errorOf('form')}
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
          <section aria-labelledby="preview">
            <h2 id="preview" className="mb-1.5 font-sans text-base font-semibold">
              {m.resources_preview()}
            </h2>
            <Card>
              {body.trim() ? (
                <ResourceText body={body} />
              ) : (
                <p className="text-quiet">{m.resources_preview_empty()}</p>
              )}
            </Card>
          </section>
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
