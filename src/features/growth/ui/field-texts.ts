import { AppError } from '#/kernel/errors.ts';
import type { FieldTexts } from '#/web/form-saving.ts';

/**
 * What the server found wrong, by the fields that a form shows, a goal's steps as `steps.0` and so on; empty if nothing
 * of it can be mended there.
 */
export function refusedTexts(
  error: unknown,
  sentence: (field: string, reason: string) => string | undefined,
): FieldTexts {
  if (!(error instanceof AppError)) return {};
  const found: FieldTexts = {};
  for (const { field, reason } of error.fields) {
    const text = sentence(field, reason);
    if (text !== undefined)
      found[field.startsWith('steps.') ? field.split('.').slice(0, 2).join('.') : field] = text;
  }
  return found;
}
