import { useRef, useState, type RefObject, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';

export type FieldTexts = Partial<Record<string, string>>;

export interface Saving {
  form: RefObject<HTMLFormElement | null>;
  errors: FieldTexts;
  /** An error unrelated to a field. */
  failure: string | null;
  busy: boolean;
  /** Saves unless fields are `missing` or a save is running; `save` throws server errors. */
  submit: (event: SubmitEvent, missing: FieldTexts, save: () => Promise<unknown>) => Promise<void>;
}

/**
 * Manages saving a form and focuses the first invalid field. `refusedTexts` maps errors to fields; if it returns none,
 * `failureText` is shown.
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
