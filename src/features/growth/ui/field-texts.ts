import { fieldProblems } from '#/web/failures.ts';
import type { FieldTexts } from '#/web/form-saving.ts';

/** Returns errors by form field, such as `steps.0`. Empty if no field applies. */
export function refusedTexts(
  error: unknown,
  sentence: (field: string, reason: string) => string | undefined,
): FieldTexts {
  const found: FieldTexts = {};
  for (const { field, reason } of fieldProblems(error)) {
    const text = sentence(field, reason);
    if (text !== undefined)
      found[field.startsWith('steps.') ? field.split('.').slice(0, 2).join('.') : field] = text;
  }
  return found;
}
