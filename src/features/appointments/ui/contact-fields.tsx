import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import type { BookForm } from './book-form.ts';

export function ContactFields({ form: { contact, problems, type, asGuest, change } }: { form: BookForm }) {
  const control = (field: keyof typeof contact) => ({
    autoComplete: field === 'phone' ? 'tel' : field,
    value: contact[field],
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value }),
  });
  return (
    <fieldset className="grid min-w-0 gap-4 sm:grid-cols-2">
      <legend className="mb-3 font-serif text-lg font-semibold">{m.booking_contact()}</legend>
      <div data-problem={problems.name ? '' : undefined}>
        <Field label={m.booking_contact_name()} error={problems.name && m.booking_contact_name_required()}>
          <TextInput {...control('name')} required />
        </Field>
      </div>
      <div data-problem={problems.email ? '' : undefined}>
        <Field
          label={m.booking_contact_email()}
          hint={asGuest ? m.booking_guest_email_hint() : undefined}
          error={emailProblem(problems.email)}
        >
          <TextInput {...control('email')} type="email" required />
        </Field>
      </div>
      <div data-problem={problems.phone ? '' : undefined} className="sm:col-span-2">
        <Field
          label={m.booking_contact_phone()}
          optional={type !== 'phone'}
          hint={type === 'phone' ? m.booking_contact_phone_for_call() : undefined}
          error={phoneProblem(problems.phone, type)}
        >
          <TextInput {...control('phone')} type="tel" required={type === 'phone'} />
        </Field>
      </div>
    </fieldset>
  );
}

function emailProblem(problem: 'required' | 'format' | undefined): string | undefined {
  if (!problem) return undefined;
  return problem === 'required' ? m.booking_contact_email_required() : m.booking_contact_email_format();
}

function phoneProblem(
  problem: 'required' | 'format' | undefined,
  type: SessionType | null,
): string | undefined {
  if (!problem) return undefined;
  if (problem === 'required') return m.booking_contact_phone_required();
  return type === 'phone' ? m.booking_contact_phone_whole() : m.booking_contact_phone_format();
}
