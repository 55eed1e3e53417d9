import { ORPCError } from '@orpc/server';
import { AppError, type FieldProblem } from '#/kernel/errors.ts';

interface Issue {
  code?: string;
  path?: readonly PropertyKey[];
  input?: unknown;
  message: string;
}

/** Our closed words for what a shape can find wrong; its own patterns and messages stay inside. */
const reasons: Readonly<Record<string, string>> = {
  too_big: 'too_large',
  too_small: 'too_small',
  invalid_format: 'bad_format',
  invalid_value: 'not_an_option',
  invalid_union: 'not_an_option',
  unrecognized_keys: 'unknown_field',
};

/** Turns the API library's validation error into a refusal that names the fields; any other error is returned as it is. */
export function refusalOfInput(error: unknown): unknown {
  if (!(error instanceof ORPCError) || error.status >= 500) return error;
  const data: unknown = error.data;
  const issues =
    typeof data === 'object' && data !== null && 'issues' in data ? (data.issues as Issue[]) : null;
  if (!issues) return new AppError('invalid', 'malformed');
  return new AppError('invalid', 'fields', { fields: issues.map(fieldProblem) });
}

function fieldProblem(issue: Issue): FieldProblem {
  const missing = issue.code === 'invalid_type' && issue.message.includes('undefined');
  return {
    field: (issue.path ?? []).map(String).join('.'),
    reason: missing ? 'required' : (reasons[issue.code ?? ''] ?? 'wrong_type'),
  };
}
