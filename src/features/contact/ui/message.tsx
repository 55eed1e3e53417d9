import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import limits from 'virtual:limits/contact.annotate';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { EmailText } from '#/web/components/email-text.tsx';
import { TextareaField } from '#/web/components/field.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept, failureReason, failureText } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { momentText } from '#/web/times.ts';
import type { OpenedMessage } from '../contract.ts';
import { stateTexts } from './state-texts.ts';
import { Thread } from './thread.tsx';

export function Message({ message }: { message: OpenedMessage }) {
  const queries = useQueryClient();
  const zone = useOwnZone();
  const [answering, setAnswering] = useState(false);
  const [noting, setNoting] = useState(false);
  const show = (changed: OpenedMessage) => {
    queries.setQueryData(api.contact.get.queryKey({ input: { messageId: changed.id } }), changed);
    void queries.invalidateQueries({ queryKey: api.contact.inbox.key() });
  };
  const after = (title: string) => ({
    onSuccess: (changed: OpenedMessage) => {
      show(changed);
      toast.done(title);
    },
    onError: () => toast.failed(m.web_save_failed(), m.web_in_a_moment()),
  });
  const close = useMutation({
    ...api.contact.close.mutationOptions(),
    ...after(m.contact_inbox_closed_toast()),
  });
  const reopen = useMutation({
    ...api.contact.reopen.mutationOptions(),
    ...after(m.contact_inbox_reopened_toast()),
  });
  const act = message.state === 'closed' ? reopen : close;
  const { name, email, subject, sentAt, personId, closed } = message;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 text-xl break-words">{subject}</h2>
          <Badge tone={tones[message.state]}>{stateTexts[message.state]()}</Badge>
        </div>
        <Button
          variant="secondary"
          size="sm"
          busy={act.isPending}
          onClick={() => act.mutate({ messageId: message.id })}
        >
          {message.state === 'closed' ? m.contact_inbox_reopen() : m.contact_inbox_close()}
        </Button>
      </div>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-quiet">{m.contact_inbox_from()}</dt>
        <dd className="break-words">
          {personId ? <PersonLink id={personId}>{name}</PersonLink> : name} ·{' '}
          <a href={`mailto:${email}`} className="text-primary hover:underline">
            <EmailText email={email} />
          </a>
          {personId && <span className="block text-quiet">{m.contact_inbox_from_account()}</span>}
        </dd>
        <dt className="text-quiet">{m.contact_inbox_sent()}</dt>
        <dd>
          <time dateTime={sentAt}>{momentText(sentAt, zone)}</time>
        </dd>
      </dl>
      <p className="mt-5 border-t border-line pt-5 break-words whitespace-pre-wrap">{message.message}</p>
      <Thread message={message} onChanged={show} onUnsaved={setAnswering} />
      {closed && (
        <p className="mt-5 text-sm text-quiet">
          {closed.by
            ? m.contact_inbox_closed_by({ when: momentText(closed.at, zone), name: closed.by })
            : m.contact_inbox_closed_at({ when: momentText(closed.at, zone) })}
        </p>
      )}
      <Note message={message} onChanged={show} onUnsaved={setNoting} />
      <LeaveGuard unsaved={answering || noting} part="message" />
    </>
  );
}

const tones = { open: 'primary', answered: 'sage', closed: 'neutral' } as const;

function Note({
  message,
  onChanged,
  onUnsaved,
}: {
  message: OpenedMessage;
  onChanged: (changed: OpenedMessage) => void;
  onUnsaved: (unsaved: boolean) => void;
}) {
  const { id: messageId } = message;
  const [seen, setSeen] = useState(message.note);
  const take = (latest: OpenedMessage) => {
    setSeen(latest.note);
    onChanged(latest);
  };
  const form = useForm({
    values: { note: message.note },
    version: message.note,
    limits,
    sentence: (field) => (field === 'note' ? m.web_text_bad() : undefined),
    failureText: (error) =>
      failureText(error, { ...entriesKept, annotated_meanwhile: m.contact_inbox_note_meanwhile }),
    input: ({ note }) => ({ messageId, note, seen }),
    save: async ({ note }) => {
      try {
        take(await api.contact.annotate.call({ messageId, note, seen }));
        toast.done(m.web_note_saved());
      } catch (error) {
        if (failureReason(error) === 'annotated_meanwhile') {
          const latest = await api.contact.get.call({ messageId });
          const both = [latest.note, form.getValues('note')].filter(Boolean).join('\n\n');
          form.setValue('note', both, { shouldDirty: true });
          take(latest);
        }
        throw error;
      }
    },
  });
  if (!form.unsaved && seen !== message.note) setSeen(message.note);
  useEffect(() => onUnsaved(form.unsaved), [onUnsaved, form.unsaved]);
  return (
    <form {...form.props} className="mt-6 grid justify-items-start gap-3 border-t border-line pt-5">
      <TextareaField
        label={m.contact_inbox_note()}
        hint={m.contact_inbox_note_hint()}
        className="w-full"
        {...form.field('note')}
        rows={3}
      />
      <FailureAlert title={m.web_save_failed()} className="w-full" text={form.failure} />
      <Button type="submit" variant="secondary" busy={form.busy}>
        {m.web_save_note()}
      </Button>
    </form>
  );
}
