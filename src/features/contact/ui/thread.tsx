import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import limits from 'virtual:limits/contact.answer';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { TextareaField } from '#/web/components/field.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept, failureText, isRefusal } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { newKey } from '#/web/request-key.ts';
import { momentText } from '#/web/times.ts';
import type { ContactAnswer, OpenedMessage } from '../contract.ts';

/** A message's answers, with a form for another one. Undoing an answer puts its text back into the form. */
export function Thread({
  message: { id: messageId, email, answers },
  onChanged,
  onUnsaved,
}: {
  message: OpenedMessage;
  onChanged: (changed: OpenedMessage) => void;
  onUnsaved: (unsaved: boolean) => void;
}) {
  const queries = useQueryClient();
  const [answerId, setAnswerId] = useState(newKey);
  const form = useForm({
    values: { text: '' },
    limits,
    sentence: (field, reason) =>
      field === 'text' ? (reason === 'required' ? m.contact_answer_required() : m.web_text_bad()) : undefined,
    failureText: (error) =>
      failureText(error, { ...entriesKept, answered_meanwhile: m.contact_answer_meanwhile }),
    input: ({ text }) => ({ messageId, text, seen: answers.length }),
    save: async ({ text }) => {
      try {
        onChanged(await api.contact.answer.call({ messageId, answerId, text, seen: answers.length }));
        takeSent();
      } catch (error) {
        // Someone else's answer may be new.
        void queries.invalidateQueries({ queryKey: api.contact.get.key() });
        throw error;
      }
    },
  });
  const takeSent = () => {
    form.takeSaved({ text: '' });
    setAnswerId(newKey);
  };
  useEffect(() => {
    // Sent, though the reply got lost.
    if (!form.busy && answers.some(({ id }) => id === answerId)) takeSent();
  });
  useEffect(() => onUnsaved(form.unsaved), [onUnsaved, form.unsaved]);
  const undoAnswer = useMutation({
    mutationFn: ({ id }: ContactAnswer) => api.contact.undoAnswer.call({ answerId: id }),
    // Before the server deletes it: if its reply gets lost, the text would be too.
    onMutate: ({ text }) => {
      const typed = form.getValues('text');
      const both = typed.trim() === '' ? text : `${text}\n\n${typed.trim()}`;
      form.setValue('text', both, { shouldDirty: true });
      return { typed };
    },
    onSuccess: (changed) => {
      onChanged(changed);
      form.setFocus('text');
    },
    onError: (error, _, before) => {
      if (before && isRefusal(error)) form.setValue('text', before.typed, { shouldDirty: true });
      void queries.invalidateQueries({ queryKey: api.contact.get.key() });
      toast.failed(
        m.contact_answer_not_taken_back(),
        failureText(error, { already_mailed: m.contact_answer_already_sent }),
      );
    },
  });
  return (
    <>
      {answers.length > 0 && (
        <ol aria-label={m.contact_answers()} className="mt-5 grid gap-4">
          {answers.map((answer) => (
            <li key={answer.id} className="border-l-2 border-primary pl-4">
              <Written answer={answer} />
              <p className="mt-1 break-words whitespace-pre-wrap">{answer.text}</p>
              {!answer.mailedAt && (
                <Button
                  variant="secondary"
                  size="sm"
                  className="mt-2"
                  busy={undoAnswer.isPending}
                  onClick={() => undoAnswer.mutate(answer)}
                >
                  <Undo2 />
                  {m.web_undo()}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      <form {...form.props} className="mt-5 grid justify-items-start gap-3 border-t border-line pt-5">
        <TextareaField
          label={m.contact_answer()}
          hint={m.contact_answer_hint({ email })}
          className="w-full"
          {...form.field('text')}
          rows={6}
        />
        <FailureAlert title={m.contact_answer_failed()} className="w-full" text={form.failure} />
        {/* Answers count until they’re taken back. */}
        <Button type="submit" busy={form.busy || undoAnswer.isPending}>
          {m.contact_answer_send()}
        </Button>
      </form>
    </>
  );
}

function Written({ answer: { author, writtenAt, mailedAt } }: { answer: ContactAnswer }) {
  const zone = useOwnZone();
  const queries = useQueryClient();
  // The notice may get lost.
  useEffect(() => {
    if (mailedAt) return;
    const look = setInterval(
      () => void queries.invalidateQueries({ queryKey: api.contact.get.key() }),
      10_000,
    );
    return () => clearInterval(look);
  }, [mailedAt, queries]);
  return (
    <p className="text-sm text-quiet">
      {author ? (
        <PersonLink id={author.id} className="font-semibold">
          {author.name}
        </PersonLink>
      ) : (
        m.contact_answer_author_gone()
      )}{' '}
      · <time dateTime={writtenAt}>{momentText(writtenAt, zone)}</time> ·{' '}
      <span role="status">{mailedAt ? m.contact_answer_sent() : m.contact_answer_sending()}</span>
    </p>
  );
}
