import { m } from '#/texts/messages.js';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Select, Textarea, TextInput } from '#/web/components/field.tsx';
import type { ResourceType } from '../library/contract.ts';
import type { DraftPart } from './draft-form.ts';
import { categories, categoryNames, typeNames } from './resource-texts.ts';

export function DraftAbout({ form: { register, choice, errorOf } }: DraftPart) {
  return (
    <>
      <Field label={m.resources_field_title()} error={errorOf('title')}>
        <TextInput {...register('title')} />
      </Field>
      <Field
        label={m.resources_field_author()}
        hint={m.resources_field_author_hint()}
        error={errorOf('author')}
      >
        <TextInput {...register('author')} />
      </Field>
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
        <Field label={m.resources_field_category()} error={errorOf('category')}>
          <Select {...register('category')}>
            <option value="">{m.resources_field_category_choose()}</option>
            {categories.map((one) => (
              <option key={one} value={one}>
                {categoryNames[one]()}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={m.resources_field_duration()} optional error={errorOf('durationMinutes')}>
          <TextInput {...register('durationMinutes')} inputMode="numeric" />
        </Field>
      </div>
      <Field
        label={m.resources_field_description()}
        hint={m.resources_field_description_hint()}
        error={errorOf('description')}
      >
        <Textarea {...register('description')} rows={3} />
      </Field>
    </>
  );
}
