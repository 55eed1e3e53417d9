import { useCallback, useEffect, useRef } from 'react';
import limits from 'virtual:limits/contact.send';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, Textarea, TextField } from '#/web/components/field.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept, failureCode, failureText } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { Proof } from './robot-proof.ts';

interface Values {
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** Lazy: keeps the API client out of the page until first focus. */
const loadProof = () => import('./robot-proof.ts');

/** Keeps text typed before hydration; clears after sending. */
export function ContactForm({
  version,
  supportEmail,
  known,
  hydrated,
}: {
  version: string | undefined;
  supportEmail: string;
  known: { name: string; email: string } | null;
  hydrated: boolean;
}) {
  const proof = useRef<Promise<Proof> | null>(null);
  const trap = useRef<HTMLInputElement>(null);

  const prepare = useCallback((again = false): Promise<Proof> => {
    if (proof.current && !again) return proof.current;
    const next = loadProof().then(({ solveChallenge }) => solveChallenge());
    proof.current = next;
    // Submit retries after a failure.
    next.catch(() => (proof.current = null));
    return next;
  }, []);

  const send = async (values: Values): Promise<void> => {
    const { sendMessage } = await loadProof();
    // Robots may fill the trap without an event.
    const website = trap.current?.value.trim() ?? '';
    const sendWith = async (again: boolean) =>
      sendMessage({ ...values, email: values.email.trim(), website, ...(await prepare(again)) });
    try {
      await sendWith(false);
    } catch (error) {
      // The form expired or was already used: retry silently with another.
      if (failureCode(error) !== 'precondition' || website !== '') throw error;
      await sendWith(true);
    }
    proof.current = null;
    form.reset();
    toast.done(m.contact_sent_title(), m.contact_sent_text());
  };
  const form = useForm<Values>({
    values: { name: known?.name ?? '', email: known?.email ?? '', subject: '', message: '' },
    version,
    limits,
    sentence,
    failureText: (error) => contactFailureText(error, supportEmail),
    save: send,
  });
  const { field, register, errorOf, failure, busy } = form;

  // Solve the challenge while the person types.
  useEffect(() => {
    const element = form.props.ref.current;
    const begin = () => void prepare().catch(() => undefined);
    element?.addEventListener('focusin', begin, { once: true });
    return () => element?.removeEventListener('focusin', begin);
  }, [form.props.ref, prepare]);

  return (
    <form {...form.props} method="post" className="grid gap-4">
      <noscript>
        <p className="rounded-control bg-primary-soft px-4 py-3">
          {m.contact_form_noscript({ email: supportEmail })}
        </p>
      </noscript>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={m.web_name()} {...field('name')} autoComplete="name" required />
        <TextField
          label={m.contact_form_email()}
          {...field('email')}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          required
        />
      </div>
      <TextField label={m.contact_form_subject()} {...field('subject')} autoComplete="off" required />
      <div>
        <Field
          label={m.contact_form_message()}
          hint={m.contact_form_message_hint()}
          error={errorOf('message')}
        >
          <Textarea {...register('message')} rows={6} required />
        </Field>
        <CrisisHelp text={form.watch(['subject', 'message']).join('\n')} className="mt-3" />
      </div>
      {/* Honeypot: hidden from view, keyboards and screen readers. */}
      <div inert aria-hidden className="absolute -left-[200vw] size-px overflow-hidden">
        <label>
          {m.contact_form_website()}
          <input ref={trap} name="website" type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <FailureAlert title={m.web_message_not_sent()} text={failure} />
      <Button
        type="submit"
        size="lg"
        disabled={!hydrated}
        busy={busy}
        busyLabel={m.contact_form_submitting()}
        className="justify-self-start max-sm:w-full"
      >
        {m.web_send_message()}
      </Button>
    </form>
  );
}

const sentences: Readonly<Record<string, { required: () => string; bad: () => string }>> = {
  name: { required: m.contact_field_name_required, bad: m.web_text_bad },
  email: { required: m.contact_field_email_required, bad: m.web_email_bad },
  subject: { required: m.web_subject_missing, bad: m.web_text_bad },
  message: { required: m.contact_field_message_required, bad: m.web_text_bad },
};

function sentence(field: string, reason: string): string | undefined {
  return sentences[field]?.[reason === 'required' ? 'required' : 'bad']();
}

function contactFailureText(error: unknown, email: string): string {
  return failureText(error, {
    ...entriesKept,
    rate_limited: () => m.contact_error_rate({ email }),
    precondition: () => m.contact_error_robot({ email }),
  });
}
