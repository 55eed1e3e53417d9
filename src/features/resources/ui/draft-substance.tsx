import { BookOpenText, Globe, Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import type { AuthoredResource, ResourceForm } from '../library/contract.ts';
import { markOf, type DraftPart } from './draft-form.ts';
import { FileField } from './file-field.tsx';
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
  typed,
  errors,
  set,
  fileName,
  resourceId,
  onStored,
  onFileError,
}: DraftPart & {
  fileName: string | null;
  resourceId: () => Promise<string | null>;
  onStored: (row: AuthoredResource) => void;
  onFileError: (error: unknown) => void;
}) {
  return (
    <>
      <div {...markOf(errors.form)}>
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
        <div className="grid items-start gap-6 lg:grid-cols-2" {...markOf(errors.body)}>
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
        <div {...markOf(errors.file)}>
          <FileField
            part="file"
            label={m.resources_field_file()}
            hint={m.resources_field_file_hint()}
            accept=".pdf,audio/*,video/mp4,video/webm"
            now={fileName}
            error={errors.file}
            resourceId={resourceId}
            onStored={onStored}
            onError={onFileError}
          />
        </div>
      )}
      {typed.form === 'link' && (
        <div {...markOf(errors.url)}>
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
    </>
  );
}
