import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import type { BookForForm } from './book-for-form.ts';

export function NewPerson({ form: { person, problems, changeWhom } }: { form: BookForForm }) {
  const control = (field: keyof typeof person) => ({
    value: person[field],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) =>
      changeWhom({ person: { ...person, [field]: target.value } }),
  });
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div data-problem={problems.name ? '' : undefined} className="sm:col-span-2">
        <Field label={m.care_record_name()} error={problems.name}>
          <TextInput {...control('name')} required />
        </Field>
      </div>
      <div data-problem={problems.email ? '' : undefined}>
        <Field label={m.care_record_email()} error={problems.email}>
          <TextInput {...control('email')} type="email" />
        </Field>
      </div>
      <div data-problem={problems.phone ? '' : undefined}>
        <Field label={m.care_record_phone()} error={problems.phone}>
          <TextInput {...control('phone')} type="tel" />
        </Field>
      </div>
      <p className="text-sm text-quiet sm:col-span-2">{m.schedule_for_new_text()}</p>
    </div>
  );
}
