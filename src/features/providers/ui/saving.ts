import { AppError } from '#/kernel/errors.ts';
import { useFormSaving, type FieldTexts, type Saving } from '#/web/form-saving.ts';
import { failureText } from './failure-text.ts';

/** Saves what a form of this feature holds; a field that was refused has its `sentence` under it. */
export function useSaving(sentence: (field: string, reason: string) => string | undefined): Saving {
  return useFormSaving((error) => refusedTexts(error, sentence), failureText);
}

/** What the server found wrong, by the form's fields; empty if nothing of it can be mended there. */
function refusedTexts(
  error: unknown,
  sentence: (field: string, reason: string) => string | undefined,
): FieldTexts {
  if (!(error instanceof AppError)) return {};
  const found: FieldTexts = {};
  for (const { field, reason } of error.fields) {
    // One of a list is mended in the list.
    const shown = field.split('.')[0]!;
    const text = sentence(shown, reason);
    if (text !== undefined) found[shown] = text;
  }
  return found;
}
