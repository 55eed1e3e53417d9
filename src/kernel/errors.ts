/** All error codes; each maps to one HTTP status in `problem.ts`. */
export type ErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'precondition'
  | 'rate_limited'
  | 'unavailable';

/** `field` is a dotted path. */
export interface FieldProblem {
  field: string;
  reason: string;
}

/** `data` is sent to the requester, so it must not reveal other people's data. */
export interface ErrorDetail {
  fields?: FieldProblem[];
  data?: Record<string, unknown>;
}

/** An expected error that people can understand and act on. Any other exception is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Fixed reason code, such as `slot_taken` for `conflict`; selects the message. */
  readonly reason: string;
  readonly fields: readonly FieldProblem[];
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, reason: string, detail: ErrorDetail = {}) {
    super(`${code}: ${reason}`);
    this.name = 'AppError';
    this.code = code;
    this.reason = reason;
    this.fields = detail.fields ?? [];
    this.data = detail.data ?? {};
  }
}

/** Logged, unlike other expected errors: only the operator can fix it. */
export class Outage extends AppError {}

export function isLogged(error: unknown): boolean {
  return !(error instanceof AppError) || error instanceof Outage;
}

export function invalidField(field: string, reason: string): AppError {
  return new AppError('invalid', reason, { fields: [{ field, reason }] });
}
