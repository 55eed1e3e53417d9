import limits from 'virtual:limits/care.clients.list';
import { m } from '#/texts/messages.js';
import { Combobox } from '#/web/components/combobox.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';
import { Field, TextField } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import type { BookForForm } from './book-for-form.ts';

/** Finds one of the provider's clients by name. */
export function ClientChoice({ form }: { form: BookForForm }) {
  const { clients, client, problems } = form;
  if (clients.isError && !clients.data) {
    return (
      <Notice
        tone="destructive"
        title={m.schedule_for_clients_failed()}
        action={<TryAgain query={clients} />}
      />
    );
  }
  const found = (clients.data?.clients ?? []).filter(({ erased }) => !erased);
  const known = client && !found.some(({ id }) => id === client.id) ? [client, ...found] : found;
  return (
    <div data-problem={problems.client ? '' : undefined}>
      <Field
        label={m.schedule_for_client()}
        hint={
          clients.isSuccess && known.length === 0 && !clients.isPlaceholderData
            ? m.schedule_for_client_none()
            : m.schedule_for_client_hint()
        }
        error={problems.client}
      >
        <Combobox
          required
          autoComplete="off"
          maxLength={limits.search?.max}
          value={client?.id ?? ''}
          offers={known.map(({ id, name }) => ({ value: id, label: name }))}
          searching={clients.isFetching}
          onType={form.search}
          onChange={(id) =>
            form.changeWhom({ client: known.find((one) => one.id === id) ?? null, phone: null })
          }
        />
      </Field>
    </div>
  );
}

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
        <TextField label={m.web_name()} error={problems.name} {...control('name')} required />
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
