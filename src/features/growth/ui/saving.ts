import { entriesKept } from '#/web/failures.ts';
import { useFormSaving, type Saving } from '#/web/form-saving.ts';
import { growthFailureText } from './failure-text.ts';
import { refusedTexts } from './field-texts.ts';

/** `sentence` describes a rejected field. */
export function useSaving(sentence: (field: string, reason: string) => string | undefined): Saving {
  return useFormSaving(
    (error) => refusedTexts(error, sentence),
    (error) => growthFailureText(error, entriesKept),
  );
}
