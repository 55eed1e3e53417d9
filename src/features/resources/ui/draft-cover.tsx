import { m } from '#/texts/messages.js';
import type { DraftPart } from './draft-form.ts';
import { FileField, type FileTarget } from './file-field.tsx';
import { ResourceCover } from './resource-cover.tsx';

export function DraftCover({
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
