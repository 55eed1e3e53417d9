import { useFormSaving, type Saving } from '#/web/form-saving.ts';
import { failureText } from './failure-text.ts';
import { refusedTexts } from './field-texts.ts';

/** Saves what a form of this feature holds; a field that was refused has its `sentence` under it. */
export function useSaving(sentence: (field: string, reason: string) => string | undefined): Saving {
  return useFormSaving((error) => refusedTexts(error, sentence), failureText);
}
