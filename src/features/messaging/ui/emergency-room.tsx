import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import limits from 'virtual:limits/emergency.open';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { SectionHeading } from '#/web/components/page.tsx';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { shortDateText, timeText } from '#/web/times.ts';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Field, PasswordInput, Textarea, TextInput, TextField } from '#/web/components/field.tsx';
import { KnownUsername } from '#/web/components/known-username.tsx';
import { entriesKept, failureText } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { OpenedConversation } from '../emergency/contract.ts';
import { counterpartName } from './row-texts.ts';
import { emergencyPhrase, maxShown, openMinutes, shortestReason } from '../rules.ts';

export function EmergencyRoom() {
  const queries = useQueryClient();
  const heading = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<string | null>(null);
  const current = useQuery({
    ...api.emergency.current.queryOptions(),
    // Drop the conversation from the cache on unmount.
    gcTime: 0,
  });
  const opened = current.data?.opened ?? null;
  const show = async (next: OpenedConversation | null, note: string | null) => {
    // Answers in flight may predate this change.
    await queries.cancelQueries({ queryKey: api.emergency.current.queryKey() });
    queries.setQueryData(api.emergency.current.queryKey(), { opened: next });
    setOver(note);
    // The focused element has disappeared.
    heading.current?.focus();
  };
  const latest = useRef(show);
  useEffect(() => {
    latest.current = show;
  });
  const endsAt = opened?.endsAt;
  useEffect(() => {
    if (endsAt === undefined) return;
    const end = () => void latest.current(null, m.messaging_emergency_over());
    const timer = setTimeout(end, Math.max(0, Date.parse(endsAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [endsAt]);

  return (
    <>
      <div ref={heading} tabIndex={-1} className="outline-none">
        <SectionHeading as="h1" title={m.messaging_emergency_title()}>
          {m.messaging_emergency_intro()}
        </SectionHeading>
      </div>
      <div className="mt-6 grid gap-6">
        <Fetched query={current} failure={m.messaging_emergency_load_failed()}>
          {() =>
            opened ? (
              <EmergencyReading
                opened={opened}
                onClosed={() => void show(null, m.messaging_emergency_closed())}
              />
            ) : (
              <>
                {over !== null && <Notice tone="success" title={over} />}
                <EmergencyForm onOpened={(next) => void show(next, null)} />
              </>
            )
          }
        </Fetched>
      </div>
    </>
  );
}

function EmergencyReading({ opened, onClosed }: { opened: OpenedConversation; onClosed: () => void }) {
  const { id, client, provider, subject, messages, more, endsAt } = opened;
  const close = useMutation({ ...api.emergency.close.mutationOptions(), onSuccess: onClosed });
  const zone = useOwnZone();
  const names = { client: counterpartName(client), provider: counterpartName(provider) };
  const from = {
    client: m.messaging_emergency_client({ name: names.client }),
    provider: m.messaging_emergency_provider({ name: names.provider }),
  };
  const until = timeText(endsAt, zone);
  return (
    <Card as="section" aria-labelledby={`emergency-${id}`} className="max-w-reading">
      <h2 id={`emergency-${id}`} className="text-xl wrap-anywhere">
        {m.messaging_emergency_between(names)}
      </h2>
      <p className="text-quiet wrap-anywhere">{m.messaging_emergency_subject({ subject })}</p>
      <Notice
        className="mt-4"
        title={m.messaging_emergency_until({ time: until })}
        action={
          <Button
            variant="secondary"
            size="sm"
            busy={close.isPending}
            onClick={() => close.mutate({ accessId: id })}
          >
            {m.messaging_emergency_close()}
          </Button>
        }
      />
      {close.isError && (
        <Notice
          tone="destructive"
          className="mt-3"
          title={m.messaging_emergency_close_failed({ time: until })}
        />
      )}
      <ZoneLine timeZone={zone} className="mt-4 text-sm text-quiet" />
      {more && <p className="mt-4 text-sm text-quiet">{m.messaging_emergency_more()}</p>}
      <ol
        aria-label={m.messaging_emergency_messages()}
        className="mt-4 divide-y divide-line border-y border-line"
      >
        {messages.map((message) => (
          <li key={message.seq} className="py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-semibold wrap-anywhere">{from[message.from]}</span>
              <time dateTime={message.sentAt} className="text-sm text-quiet">
                {m.web_date_time({
                  date: shortDateText(message.sentAt, zone),
                  time: timeText(message.sentAt, zone),
                })}
              </time>
            </p>
            {message.text !== '' && (
              <p dir="auto" className="mt-1 whitespace-pre-wrap wrap-anywhere [unicode-bidi:isolate]">
                {message.text}
              </p>
            )}
            {message.files.length > 0 && (
              <p className="mt-1 text-sm text-quiet wrap-anywhere">
                {m.messaging_emergency_files({ names: message.files.join(', ') })}
              </p>
            )}
            {message.text === '' && message.files.length === 0 && (
              <p className="mt-1 text-sm text-quiet">{m.messaging_emergency_gone()}</p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function EmergencyForm({ onOpened }: { onOpened: (opened: OpenedConversation) => void }) {
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
  const { field, register, errorOf, failure, busy } = form;
  const viewer = useViewer();
  return (
    <Card as="section" aria-label={m.messaging_emergency_title()} className="max-w-reading">
      <form {...form.props} className="grid gap-5">
        <div>
          <h2 className="text-lg">{m.messaging_emergency_what()}</h2>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            <li>{m.messaging_emergency_what_told()}</li>
            <li>{m.messaging_emergency_what_noted()}</li>
            <li>{m.messaging_emergency_what_read({ minutes: openMinutes, count: maxShown })}</li>
          </ul>
        </div>
        <Field label={m.messaging_emergency_first()} error={errorOf('firstEmail')}>
          <TextInput {...register('firstEmail')} type="email" inputMode="email" autoComplete="off" />
        </Field>
        <Field label={m.messaging_emergency_second()} error={errorOf('secondEmail')}>
          <TextInput {...register('secondEmail')} type="email" inputMode="email" autoComplete="off" />
        </Field>
        <Field
          label={m.web_reason()}
          hint={m.messaging_emergency_reason_hint({ count: shortestReason })}
          error={errorOf('reason')}
        >
          <Textarea {...register('reason')} rows={4} autoComplete="off" />
        </Field>
        <TextField
          label={m.messaging_emergency_confirmation({ phrase: emergencyPhrase })}
          {...field('confirmation')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <KnownUsername email={viewer?.email} />
        <Field label={m.web_your_password()} error={errorOf('password')}>
          <PasswordInput {...register('password')} autoComplete="current-password" />
        </Field>
        <FailureAlert title={m.messaging_emergency_failed()} text={failure} />
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
      return m.web_email_bad();
    case 'reason':
      return reason === 'bad_format'
        ? m.web_text_bad()
        : m.messaging_emergency_reason_short({ count: shortestReason });
    case 'confirmation':
      return m.messaging_emergency_confirmation_bad({ phrase: emergencyPhrase });
    case 'password':
      return reason === 'required'
        ? m.messaging_emergency_password_required()
        : m.reauthentication_wrong_password();
  }
  return undefined;
}

function failureTextOf(error: unknown): string {
  return failureText(error, {
    ...entriesKept,
    not_found: () => `${m.messaging_emergency_none()}. ${m.messaging_emergency_none_text()}`,
  });
}
