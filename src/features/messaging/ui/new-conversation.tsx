import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTypedBefore } from '#/web/hydrated.ts';
import { confidentialityText } from '#/features/providers/rules.ts';
import { kindText } from '#/features/providers/practice/rules.ts';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, TextInput, Textarea } from '#/web/components/field.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { failureText, fieldProblems } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import type { Counterpart } from '../contract.ts';
import { longestMessage } from './limits.ts';
import { messagingFailures } from './failure-text.ts';
import { useKeeper, useMessaging } from './messaging-acts.ts';
import { conversationsQuery, withPersonQuery } from './messaging-queries.ts';

const longestSubject = 120;

/** After sending, `withPersonQuery` includes the conversation. */
export function NewConversation({
  person,
  crisis,
  onUnsaved,
}: {
  person: Counterpart;
  crisis: boolean;
  onUnsaved: (unsaved: boolean) => void;
}) {
  const messaging = useMessaging();
  const keeper = useKeeper();
  const queries = useQueryClient();
  const saving = useFormSaving(refusedTexts, (error) => failureText(error, messagingFailures));
  const { form, errors, failure, busy } = saving;
  const [subject, setSubject] = useState('');
  const [text, setText] = useState('');
  // Reused on resubmit, so one conversation opens.
  const ids = useRef<{ conversationId: string; messageId: string }>(undefined);
  useTypedBefore(form, (typed) => {
    setSubject(typed.subject ?? '');
    setText(typed.text ?? '');
  });
  const unsaved = subject.trim() !== '' || text.trim() !== '';
  useEffect(() => {
    onUnsaved(unsaved);
    return () => onUnsaved(false);
  }, [unsaved, onUnsaved]);

  const save = async () => {
    ids.current ??= { conversationId: crypto.randomUUID(), messageId: crypto.randomUUID() };
    const conversation = await messaging.conversations.open.call({
      ...ids.current,
      withId: person.id,
      subject,
      text,
      attachmentIds: [],
    });
    keeper.show(conversation);
    void queries.invalidateQueries({ queryKey: conversationsQuery(messaging).queryKey });
    queries.setQueryData(withPersonQuery(messaging, person.id).queryKey, { person, conversation });
  };
  const missing = (): FieldTexts => ({
    ...(subject.trim() === '' ? { subject: m.messaging_new_subject_required() } : {}),
    ...(subject.trim().length > longestSubject ? { subject: m.messaging_new_subject_long() } : {}),
    ...(text.trim() === '' ? { text: m.messaging_new_message_required() } : {}),
    ...(text.trim().length > longestMessage ? { text: m.messaging_new_message_long() } : {}),
  });

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void saving.submit(event, missing(), save)}
      className="grid max-w-reading gap-5"
    >
      <div className="flex items-start gap-3">
        <Avatar id={person.id} name={person.name} src={person.photoUrl} />
        <div className="min-w-0">
          <p className="text-lg font-semibold wrap-anywhere">{m.messaging_new_to({ name: person.name })}</p>
          {person.title && <p className="text-quiet">{person.title}</p>}
          {person.kind && (
            <>
              <Badge tone="primary" className="mt-1.5">
                {kindText(person.kind)}
              </Badge>
              <p className="mt-1.5 text-sm text-quiet">{confidentialityText(person.kind)}</p>
            </>
          )}
        </div>
      </div>
      <Field label={m.messaging_subject()} hint={m.messaging_new_subject_hint()} error={errors.subject}>
        <TextInput
          name="subject"
          value={subject}
          maxLength={longestSubject}
          onChange={(event) => setSubject(event.target.value)}
        />
      </Field>
      <div>
        <Field label={m.messaging_new_message()} error={errors.text}>
          <Textarea name="text" rows={6} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        {crisis && <CrisisHelp text={`${subject}\n${text}`} className="mt-3" />}
      </div>
      {failure && (
        <Notice tone="destructive" title={m.messaging_new_failed_title()}>
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {m.messaging_send_message()}
        </Button>
        {crisis && (
          <div className="flex flex-wrap items-center text-sm text-quiet">
            {m.messaging_crisis()} <HelpNow brief className="[&>svg]:hidden" />
          </div>
        )}
      </div>
    </form>
  );
}

function refusedTexts(error: unknown): FieldTexts {
  const found: FieldTexts = {};
  for (const { field, reason } of fieldProblems(error)) {
    if (field === 'subject')
      found.subject = reason === 'too_large' ? m.messaging_new_subject_long() : m.messaging_new_field_bad();
    if (field === 'text')
      found.text = reason === 'too_large' ? m.messaging_new_message_long() : m.messaging_new_field_bad();
  }
  return found;
}
