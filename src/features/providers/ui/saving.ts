import { fieldProblems } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts, type Saving } from '#/web/form-saving.ts';
import { providerFailureText } from './failure-text.ts';

export function useSaving(sentence: (field: string, reason: string) => string | undefined): Saving {
  return useFormSaving((error) => refusedTexts(error, sentence), providerFailureText);
}

/** Maps server errors to form fields; empty if none apply. */
function refusedTexts(
  error: unknown,
  sentence: (field: string, reason: string) => string | undefined,
): FieldTexts {
  const found: FieldTexts = {};
  for (const { field, reason } of fieldProblems(error)) {
    // List item errors belong to the list field.
    const shown = field.split('.')[0]!;
    const text = sentence(shown, reason);
    if (text !== undefined) found[shown] = text;
  }
  return found;
}
