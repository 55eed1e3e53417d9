import { ORPCError, ValidationError } from '@orpc/server';
import { AppError, type FieldProblem } from '#/kernel/errors.ts';

interface Issue {
  code?: string;
  path?: readonly PropertyKey[];
}

/** Maps validator codes to our stable error codes; patterns and messages stay internal. */
const reasons: Readonly<Record<string, string>> = {
  too_big: 'too_large',
  too_small: 'too_small',
  invalid_format: 'bad_format',
  invalid_value: 'not_an_option',
  invalid_union: 'not_an_option',
  unrecognized_keys: 'unknown_field',
};

/** Converts the RPC library's validation error into an AppError naming the fields; returns other errors unchanged. */
export function refusalOfInput(error: unknown): unknown {
  if (!(error instanceof ORPCError) || error.status >= 500) return error;
  const data: unknown = error.data;
  const issues =
    typeof data === 'object' && data !== null && 'issues' in data ? (data.issues as Issue[]) : null;
  if (!issues) return new AppError('invalid', 'malformed');
  return refusalOfIssues(issues, error.cause instanceof ValidationError ? error.cause.data : undefined);
}

/** True for input that our pages never send. */
export function isMalformedInput(error: unknown): error is AppError {
  return (
    error instanceof AppError && error.code === 'invalid' && ['fields', 'malformed'].includes(error.reason)
  );
}

export function refusalOfIssues(issues: readonly Issue[], input: unknown): AppError {
  return new AppError('invalid', 'fields', { fields: issues.map((issue) => fieldProblem(issue, input)) });
}

function fieldProblem({ code, path = [] }: Issue, input: unknown): FieldProblem {
  const missing = path.reduce(valueAt, input) === undefined;
  return {
    field: path.map(String).join('.'),
    reason: missing ? 'required' : (reasons[code ?? ''] ?? 'wrong_type'),
  };
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}
