import { useRef, useState, type RefObject, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';

/** The sentence under each field that can't be accepted. */
export type FieldTexts = Partial<Record<string, string>>;

/** How far a form is with being saved; `form` is to be its ref. */
export interface Saving {
  form: RefObject<HTMLFormElement | null>;
  errors: FieldTexts;
  /** What went wrong that no field can mend. */
  failure: string | null;
  busy: boolean;
  /** Saves, once at a time, unless something is missing; `save` throws what the server refuses. */
  submit: (event: SubmitEvent, missing: FieldTexts, save: () => Promise<unknown>) => Promise<void>;
}

/**
 * Saves what a form holds; the first field that isn't right gets the focus. `refusedTexts` says what a refusal means for
 * the fields (none of them, if it is empty), `failureText` what it means otherwise.
 */
export function useFormSaving(
  refusedTexts: (error: unknown) => FieldTexts,
  failureText: (error: unknown) => string,
): Saving {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldTexts>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const showErrors = (found: FieldTexts) => {
    flushSync(() => setErrors(found));
    form.current
      ?.querySelector<HTMLElement>(
        '[aria-invalid="true"]:is(input,textarea,select), [aria-invalid="true"] input',
      )
      ?.focus();
  };
  const submit: Saving['submit'] = async (event, missing, save) => {
    event.preventDefault();
    if (busy) return;
    setFailure(null);
    if (Object.keys(missing).length > 0) {
      showErrors(missing);
      return;
    }
    setErrors({});
    setBusy(true);
    try {
      await save();
    } catch (error) {
      const found = refusedTexts(error);
      if (Object.keys(found).length > 0) showErrors(found);
      else setFailure(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return { form, errors, failure, busy, submit };
}
