import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Field, PasswordInput, Textarea, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { entriesKept, failureText, fieldTexts } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import type { OpenedConversation } from '../emergency/contract.ts';
import {
  emergencyPhrase,
  longestReason,
  mostShown,
  openMinutes,
  shortestReason,
} from '../emergency/rules.ts';

const nothing = { firstEmail: '', secondEmail: '', reason: '', confirmation: '', password: '' };

export function EmergencyForm({ onOpened }: { onOpened: (opened: OpenedConversation) => void }) {
  const api = useApi();
  const { form, errors, failure, busy, submit } = useFormSaving(refusedTexts, failureTextOf);
  const [typed, setTyped] = useState(nothing);
  const bind = (name: keyof typeof nothing) => ({
    name,
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <Card as="section" aria-label={m.messaging_emergency_title()} className="max-w-reading">
      <form
        ref={form}
        noValidate
        onSubmit={(event) =>
          void submit(event, missingIn(typed), async () => onOpened(await api.emergency.open.call(typed)))
        }
        className="grid gap-5"
      >
        <div>
          <h2 className="text-lg">{m.messaging_emergency_what()}</h2>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            <li>{m.messaging_emergency_what_told()}</li>
            <li>{m.messaging_emergency_what_noted()}</li>
            <li>{m.messaging_emergency_what_read({ minutes: openMinutes, count: mostShown })}</li>
          </ul>
        </div>
        <Field label={m.messaging_emergency_first()} error={errors.firstEmail}>
          <TextInput type="email" inputMode="email" autoComplete="off" {...bind('firstEmail')} />
        </Field>
        <Field label={m.messaging_emergency_second()} error={errors.secondEmail}>
          <TextInput type="email" inputMode="email" autoComplete="off" {...bind('secondEmail')} />
        </Field>
        <Field
          label={m.messaging_emergency_reason()}
          hint={m.messaging_emergency_reason_hint({ count: shortestReason })}
          error={errors.reason}
        >
          <Textarea rows={4} autoComplete="off" {...bind('reason')} />
        </Field>
        <Field
          label={m.messaging_emergency_confirmation({ phrase: emergencyPhrase })}
          error={errors.confirmation}
        >
          <TextInput autoComplete="off" autoCapitalize="none" spellCheck={false} {...bind('confirmation')} />
        </Field>
        <Field label={m.messaging_emergency_password()} error={errors.password}>
          <PasswordInput autoComplete="current-password" {...bind('password')} />
        </Field>
        {failure !== null && (
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

const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function missingIn(typed: typeof nothing): FieldTexts {
  const reason = typed.reason.trim().length;
  const found: FieldTexts = {};
  for (const name of ['firstEmail', 'secondEmail'] as const)
    if (!address.test(typed[name].trim())) found[name] = m.messaging_emergency_address_bad();
  if (reason < shortestReason) found.reason = m.messaging_emergency_reason_short({ count: shortestReason });
  if (reason > longestReason) found.reason = m.messaging_emergency_reason_long({ count: longestReason });
  if (typed.confirmation.trim().toLowerCase() !== emergencyPhrase)
    found.confirmation = m.messaging_emergency_confirmation_bad({ phrase: emergencyPhrase });
  if (typed.password === '') found.password = m.messaging_emergency_password_required();
  return found;
}

function refusedTexts(error: unknown): FieldTexts {
  const texts: Readonly<Record<string, () => string>> = {
    firstEmail: m.messaging_emergency_address_bad,
    secondEmail: m.messaging_emergency_address_bad,
    reason: m.messaging_emergency_reason_bad,
    confirmation: () => m.messaging_emergency_confirmation_bad({ phrase: emergencyPhrase }),
    password: m.messaging_emergency_password_wrong,
  };
  return fieldTexts(error, (field) => texts[field]?.());
}

function failureTextOf(error: unknown): string {
  return failureText(error, {
    ...entriesKept,
    not_found: () => `${m.messaging_emergency_none()}. ${m.messaging_emergency_none_text()}`,
    rate_limited: m.messaging_emergency_failed_many,
  });
}
