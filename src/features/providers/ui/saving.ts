import { AppError } from '#/kernel/errors.ts';
import { useFormSaving, type FieldTexts, type Saving } from '#/web/form-saving.ts';
import { failureText } from './failure-text.ts';

export function useSaving(sentence: (field: string, reason: string) => string | undefined): Saving {
  return useFormSaving((error) => refusedTexts(error, sentence), failureText);
}

/** Maps server errors to form fields; empty if none apply. */
function refusedTexts(
  error: unknown,
  sentence: (field: string, reason: string) => string | undefined,
): FieldTexts {
  if (!(error instanceof AppError)) return {};
  const found: FieldTexts = {};
  for (const { field, reason } of error.fields) {
    // List item errors belong to the list field.
    const shown = field.split('.')[0]!;
    const text = sentence(shown, reason);
    if (text !== undefined) found[shown] = text;
  }
  return found;
}
