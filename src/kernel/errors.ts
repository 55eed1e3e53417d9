/** The closed set of ways in which a request can be refused; each maps to one HTTP status in platform/http. */
export type ErrorCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'precondition'
  | 'rate_limited'
  | 'unavailable';

/** One field of the input that cannot be accepted, by its dotted path, with a closed reason. */
export interface FieldProblem {
  field: string;
  reason: string;
}

/** What a refusal carries besides its code. `data` is shown to the person who asked, so it holds nothing of others. */
export interface ErrorDetail {
  fields?: FieldProblem[];
  data?: Record<string, unknown>;
}

/** A refusal that a person can understand and act on; everything else that is thrown is a defect. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** A closed word under the code, such as `slot_taken` under `conflict`; texts are chosen by it. */
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

/** Refuses one field of the input. */
export function invalidField(field: string, reason: string): AppError {
  return new AppError('invalid', reason, { fields: [{ field, reason }] });
}
