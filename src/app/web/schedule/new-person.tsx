import { m } from '#/texts/messages.js';
import { TextField } from '#/web/components/field.tsx';
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
        <TextField label={m.care_record_name()} error={problems.name} {...control('name')} required />
      </div>
      <div data-problem={problems.email ? '' : undefined}>
        <TextField label={m.care_record_email()} error={problems.email} {...control('email')} type="email" />
      </div>
      <div data-problem={problems.phone ? '' : undefined}>
        <TextField label={m.care_record_phone()} error={problems.phone} {...control('phone')} type="tel" />
      </div>
      <p className="text-sm text-quiet sm:col-span-2">{m.schedule_for_new_text()}</p>
    </div>
  );
}
