import limits from 'virtual:limits/care.clients.list';
import { m } from '#/texts/messages.js';
import { Combobox } from '#/web/components/combobox.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';
import { Field } from '#/web/components/field.tsx';
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
