import { useCallback, useEffect, useRef, useState, type SubmitEvent } from 'react';
import type { AppError } from '#/kernel/errors.ts';
import { oneLine, severalLines } from '#/kernel/text.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, Textarea, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept, failureCode, failureText, isRefusal } from '#/web/failures.ts';
import { useTypedBefore } from '#/web/hydrated.ts';
import type { Proof } from './robot-proof.ts';

const fields = ['name', 'email', 'subject', 'message'] as const;
type FieldName = (typeof fields)[number];
type Typed = Readonly<Record<FieldName, string>>;

/** Lazy: keeps the API client out of the page until first focus. */
const loadProof = () => import('./robot-proof.ts');

/** Keeps text typed before hydration; clears after sending. */
export function ContactForm({
  supportEmail,
  known,
  hydrated,
}: {
  supportEmail: string;
  known: { name: string; email: string } | null;
  hydrated: boolean;
}) {
  const form = useRef<HTMLFormElement>(null);
  const proof = useRef<Promise<Proof> | null>(null);
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [written, setWritten] = useState('');
  const { toast } = useToast();

  const prepare = useCallback((anew = false): Promise<Proof> => {
    if (proof.current && !anew) return proof.current;
    const next = loadProof().then(({ proveHuman }) => proveHuman());
    proof.current = next;
    // Submit retries after a failure.
    next.catch(() => (proof.current = null));
    return next;
  }, []);

  // Solve the challenge while the person types.
  useEffect(() => {
    const place = form.current;
    const begin = () => void prepare().catch(() => undefined);
    place?.addEventListener('focusin', begin, { once: true });
    return () => place?.removeEventListener('focusin', begin);
  }, [prepare]);

  useTypedBefore(form, (typed) => setWritten(`${typed.subject ?? ''}\n${typed.message ?? ''}`));

  const showErrors = (found: Partial<Record<FieldName, string>>) => {
    setErrors(found);
    const first = fields.find((field) => found[field]);
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };

  const deliver = async (typed: Typed, website: string): Promise<void> => {
    const { sendMessage } = await loadProof();
    const sendWith = async (anew: boolean) => sendMessage({ ...typed, website, ...(await prepare(anew)) });
    try {
      await sendWith(false);
    } catch (error) {
      // The form expired or was already used: retry silently with another.
      if (failureCode(error) !== 'precondition' || website !== '') throw error;
      await sendWith(true);
    }
  };

  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    const textOf = (field: string) => {
      const value = data.get(field);
      return typeof value === 'string' ? value.trim() : '';
    };
    const typed = Object.fromEntries(fields.map((field) => [field, textOf(field)])) as Typed;
    const found = faultsOf(typed);
    setFailure(null);
    showErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await deliver(typed, textOf('website'));
      proof.current = null;
      form.current?.reset();
      toast({ tone: 'success', title: m.contact_sent_title(), description: m.contact_sent_text() });
    } catch (error) {
      const refused = isRefusal(error) ? refusedFields(error) : {};
      if (Object.keys(refused).length > 0) showErrors(refused);
      else setFailure(contactFailureText(error, supportEmail));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      onInput={(event) => setWritten(writtenIn(event.currentTarget))}
      className="grid gap-4"
    >
      <noscript>
        <p className="rounded-control bg-primary-soft px-4 py-3">
          {m.contact_form_noscript({ email: supportEmail })}
        </p>
      </noscript>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={m.contact_form_name()} error={errors.name}>
          <TextInput name="name" autoComplete="name" defaultValue={known?.name} required />
        </Field>
        <Field label={m.contact_form_email()} error={errors.email}>
          <TextInput
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            defaultValue={known?.email}
            required
          />
        </Field>
      </div>
      <Field label={m.contact_form_subject()} error={errors.subject}>
        <TextInput name="subject" autoComplete="off" required />
      </Field>
      <div>
        <Field label={m.contact_form_message()} hint={m.contact_form_message_hint()} error={errors.message}>
          <Textarea name="message" rows={6} required />
        </Field>
        <CrisisHelp text={written} className="mt-3" />
      </div>
      {/* Honeypot: hidden from view, keyboards and screen readers. */}
      <div inert aria-hidden className="absolute -left-[200vw] size-px overflow-hidden">
        <label>
          {m.contact_form_website()}
          <input name="website" type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {failure && (
        <Notice tone="destructive" title={m.contact_error_title()}>
          {failure}
        </Notice>
      )}
      <Button
        type="submit"
        size="lg"
        disabled={!hydrated}
        busy={busy}
        busyLabel={m.contact_form_submitting()}
        className="justify-self-start max-sm:w-full"
      >
        {m.contact_form_submit()}
      </Button>
    </form>
  );
}

const sentences: Readonly<Record<FieldName, { required: () => string; bad: () => string }>> = {
  name: { required: m.contact_field_name_required, bad: m.contact_field_name_bad },
  email: { required: m.contact_field_email_required, bad: m.contact_field_email_bad },
  subject: { required: m.contact_field_subject_required, bad: m.contact_field_subject_bad },
  message: { required: m.contact_field_message_required, bad: m.contact_field_message_bad },
};

function writtenIn(form: HTMLFormElement): string {
  return [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[name=subject], [name=message]')]
    .map(({ value }) => value)
    .join('\n');
}

/** Client-side validation; the server validates again. */
function faultsOf(typed: Typed): Partial<Record<FieldName, string>> {
  const found: Partial<Record<FieldName, string>> = {};
  for (const field of fields) {
    const value = typed[field];
    if (value === '') found[field] = sentences[field].required();
    else if (isBad(field, value)) found[field] = sentences[field].bad();
  }
  return found;
}

function isBad(field: FieldName, value: string): boolean {
  if (field === 'email') return value.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value);
  if (field === 'message') return value.length > 5_000 || !severalLines.test(value);
  return value.length > 200 || !oneLine.test(value);
}

function refusedFields(error: AppError): Partial<Record<FieldName, string>> {
  return Object.fromEntries(
    error.fields.flatMap(({ field, reason }) => {
      const known = fields.find((one) => one === field);
      return known
        ? [[known, reason === 'required' ? sentences[known].required() : sentences[known].bad()]]
        : [];
    }),
  );
}

function contactFailureText(error: unknown, email: string): string {
  return failureText(error, {
    ...entriesKept,
    rate_limited: () => m.contact_error_rate({ email }),
    precondition: () => m.contact_error_robot({ email }),
  });
}
