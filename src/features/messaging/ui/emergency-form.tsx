import limits from 'virtual:limits/emergency.open';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Field, PasswordInput, Textarea, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { entriesKept, failureText } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { OpenedConversation } from '../emergency/contract.ts';
import { emergencyPhrase, mostShown, openMinutes, shortestReason } from '../emergency/rules.ts';

export function EmergencyForm({ onOpened }: { onOpened: (opened: OpenedConversation) => void }) {
  const api = useApi();
  const form = useForm({
    values: { firstEmail: '', secondEmail: '', reason: '', confirmation: '', password: '' },
    limits,
    sentence,
    check: ({ confirmation }) =>
      confirmation.trim().toLowerCase() === emergencyPhrase
        ? {}
        : { confirmation: m.messaging_emergency_confirmation_bad({ phrase: emergencyPhrase }) },
    failureText: failureTextOf,
    save: async (values) => onOpened(await api.emergency.open.call(values)),
  });
  const { register, errorOf, failure, busy } = form;
  return (
    <Card as="section" aria-label={m.messaging_emergency_title()} className="max-w-reading">
      <form {...form.props} className="grid gap-5">
        <div>
          <h2 className="text-lg">{m.messaging_emergency_what()}</h2>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            <li>{m.messaging_emergency_what_told()}</li>
            <li>{m.messaging_emergency_what_noted()}</li>
            <li>{m.messaging_emergency_what_read({ minutes: openMinutes, count: mostShown })}</li>
          </ul>
        </div>
        <Field label={m.messaging_emergency_first()} error={errorOf('firstEmail')}>
          <TextInput {...register('firstEmail')} type="email" inputMode="email" autoComplete="off" />
        </Field>
        <Field label={m.messaging_emergency_second()} error={errorOf('secondEmail')}>
          <TextInput {...register('secondEmail')} type="email" inputMode="email" autoComplete="off" />
        </Field>
        <Field
          label={m.messaging_emergency_reason()}
          hint={m.messaging_emergency_reason_hint({ count: shortestReason })}
          error={errorOf('reason')}
        >
          <Textarea {...register('reason')} rows={4} autoComplete="off" />
        </Field>
        <Field
          label={m.messaging_emergency_confirmation({ phrase: emergencyPhrase })}
          error={errorOf('confirmation')}
        >
          <TextInput
            {...register('confirmation')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label={m.messaging_emergency_password()} error={errorOf('password')}>
          <PasswordInput {...register('password')} autoComplete="current-password" />
        </Field>
        {failure && (
          <Notice tone="destructive" title={m.messaging_emergency_failed()}>
            {failure}
          </Notice>
        )}
        <div>
          <Button type="submit" variant="destructive" busy={busy}>
            {m.messaging_emergency_open()}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function sentence(field: string, reason: string): string | undefined {
  switch (field) {
    case 'firstEmail':
    case 'secondEmail':
      return m.messaging_emergency_address_bad();
    case 'reason':
      return reason === 'bad_format'
        ? m.messaging_emergency_reason_bad()
        : m.messaging_emergency_reason_short({ count: shortestReason });
    case 'confirmation':
      return m.messaging_emergency_confirmation_bad({ phrase: emergencyPhrase });
    case 'password':
      return reason === 'required'
        ? m.messaging_emergency_password_required()
        : m.messaging_emergency_password_wrong();
  }
  return undefined;
}

function failureTextOf(error: unknown): string {
  return failureText(error, {
    ...entriesKept,
    not_found: () => `${m.messaging_emergency_none()}. ${m.messaging_emergency_none_text()}`,
    rate_limited: m.messaging_emergency_failed_many,
  });
}
