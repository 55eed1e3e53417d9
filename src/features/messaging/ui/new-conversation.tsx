import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import limits from 'virtual:limits/messaging.conversations.open';
import { api } from '#/web/api.tsx';
import { confidentialityText } from '#/features/providers/rules.ts';
import { kindText } from '#/features/providers/practice/rules.ts';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { TextField, TextareaField } from '#/web/components/field.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { failureText } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { newKey, useRequestKey } from '#/web/request-key.ts';
import type { Counterpart } from '../contract.ts';
import { messagingFailures } from './failure-text.ts';
import { useMessageSync } from './messaging-actions.ts';
import { conversationsQuery, withPersonQuery } from './messaging-queries.ts';

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
  const keeper = useMessageSync();
  const queries = useQueryClient();
  // Reused on resubmit, so one conversation opens; a changed text is another message.
  const [conversationId] = useState(newKey);
  const messageIdOf = useRequestKey();
  const form = useForm({
    values: { subject: '', text: '' },
    limits,
    sentence,
    // The contract allows a message of files only.
    check: ({ text }) => (text.trim() === '' ? { text: m.messaging_new_message_required() } : {}),
    failureText: (error) => failureText(error, messagingFailures),
    save: async (values) => {
      const conversation = await api.messaging.conversations.open.call({
        conversationId,
        messageId: messageIdOf(values),
        ...values,
        withId: person.id,
        attachmentIds: [],
      });
      keeper.show(conversation);
      void queries.invalidateQueries({ queryKey: conversationsQuery(api.messaging).queryKey });
      queries.setQueryData(withPersonQuery(api.messaging, person.id).queryKey, { person, conversation });
    },
  });
  const { field, failure, busy } = form;
  const [subject, text] = form.watch(['subject', 'text']);
  const unsaved = subject.trim() !== '' || text.trim() !== '';
  useEffect(() => {
    onUnsaved(unsaved);
    return () => onUnsaved(false);
  }, [unsaved, onUnsaved]);

  return (
    <form {...form.props} className="grid max-w-reading gap-5">
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
      <TextField label={m.messaging_subject()} {...field('subject')} />
      <div>
        <TextareaField label={m.messaging_new_message()} {...field('text')} rows={6} />
        {crisis && <CrisisHelp text={`${subject}\n${text}`} className="mt-3" />}
      </div>
      <FailureAlert title={m.web_message_not_sent()} text={failure} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" busy={busy} className="max-sm:w-full">
          {m.web_send_message()}
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

function sentence(field: string, reason: string): string | undefined {
  if (field === 'subject') {
    if (reason === 'required' || reason === 'too_small') return m.web_subject_missing();
    return m.web_text_bad();
  }
  if (field !== 'text') return undefined;
  if (reason === 'required') return m.messaging_new_message_required();
  return m.web_text_bad();
}
