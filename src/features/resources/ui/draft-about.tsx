import { m } from '#/texts/messages.js';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Select, Textarea, TextInput } from '#/web/components/field.tsx';
import type { ResourceType } from '../library/contract.ts';
import { markOf, type DraftPart } from './draft-form.ts';
import { categories, categoryNames, typeNames } from './resource-texts.ts';

export function DraftAbout({ typed, errors, set }: DraftPart) {
  return (
    <>
      <div {...markOf(errors.title)}>
        <Field label={m.resources_field_title()} error={errors.title}>
          <TextInput
            name="title"
            maxLength={200}
            value={typed.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        </Field>
      </div>
      <div {...markOf(errors.author)}>
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
      <div {...markOf(errors.type)}>
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
        <div {...markOf(errors.category)}>
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
        <div {...markOf(errors.duration)}>
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
      <div {...markOf(errors.description)}>
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
    </>
  );
}
