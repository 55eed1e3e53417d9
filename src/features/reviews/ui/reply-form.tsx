import { useEffect } from 'react';
import limits from 'virtual:limits/reviews.replies.write';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useForm, type Form } from '#/web/form.tsx';
import type { OwnReply as Reply } from '../reply/contract.ts';
import { replyFailure } from './reply-failure-text.ts';

interface Values {
  text: string;
}

export function useReplyForm(
  reviewId: string,
  reply: Reply | null,
  onSent: (reply: Reply) => Promise<void>,
): Form<Values> {
  const api = useApi();
  const form = useForm<Values>({
    values: { text: reply?.text ?? '' },
    limits,
    sentence: (field, reason) =>
      field === 'text' && reason === 'required' ? m.replies_required() : undefined,
    failureText: (error) => replyFailure(error).text,
    save: async ({ text }) => {
      const sent = await api.reviews.replies.write.call({ reviewId, text });
      await onSent(sent);
      form.reset({ text: sent.text });
    },
  });
  return form;
}

export function ReplyForm({ form, onCancel }: { form: Form<Values>; onCancel: () => void }) {
  const { register, errorOf, failure, busy, setFocus } = form;
  const problem = failure && replyFailure(form.error);
  useEffect(() => setFocus('text'), [setFocus]);
  return (
    <form {...form.props} className="mt-3 grid gap-3">
      <Field
        label={m.replies_field()}
        hint={`${m.replies_hint()} ${m.replies_after()}`}
        error={errorOf('text')}
      >
        <Textarea {...register('text')} rows={4} maxLength={limits.text!.max} />
      </Field>
      {problem && (
        <Notice tone="destructive" title={problem.title}>
          {problem.text}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" busy={busy}>
          {m.replies_send()}
        </Button>
        <Button variant="secondary" size="sm" onClick={onCancel}>
          {m.web_cancel()}
        </Button>
      </div>
    </form>
  );
}
