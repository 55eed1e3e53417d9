import { m } from '#/texts/messages.js';
import type { AuthoredResource } from '../library/contract.ts';
import { markOf, type DraftPart } from './draft-form.ts';
import { FileField } from './file-field.tsx';
import { ResourceCover } from './resource-cover.tsx';

export function DraftCover({
  typed,
  errors,
  cover,
  resourceId,
  onStored,
  onFileError,
}: Omit<DraftPart, 'set'> & {
  cover: string | null;
  resourceId: () => Promise<string | null>;
  onStored: (row: AuthoredResource) => void;
  onFileError: (error: unknown) => void;
}) {
  return (
    <div className="grid items-start gap-6 sm:grid-cols-[12rem_1fr]" {...markOf(errors.cover)}>
      <ResourceCover
        resource={{ type: typed.type ?? 'book', category: typed.category ?? 'individual-healing', cover }}
        className="rounded-card"
      />
      <FileField
        part="cover"
        label={m.resources_field_cover()}
        hint={m.resources_field_cover_hint()}
        accept="image/jpeg,image/png,image/webp"
        now={null}
        error={errors.cover}
        resourceId={resourceId}
        onStored={onStored}
        onError={onFileError}
        optional
      />
    </div>
  );
}
