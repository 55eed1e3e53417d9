import { AppError, type ErrorCode, type FieldProblem } from './errors.ts';

/** RFC 9457 problem details plus our code and reason. */
export interface Problem {
  type: 'about:blank';
  title: string;
  status: number;
  code: ErrorCode | 'unexpected';
  reason: string;
  fields: readonly FieldProblem[];
  data: Readonly<Record<string, unknown>>;
  requestId: string;
}

/** HTTP status by error code (RFC 9110, section 15.5; 429 from RFC 6585). */
const statuses: Readonly<Record<ErrorCode, readonly [number, string]>> = {
  invalid: [400, 'Bad Request'],
  unauthenticated: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  conflict: [409, 'Conflict'],
  precondition: [412, 'Precondition Failed'],
  rate_limited: [429, 'Too Many Requests'],
  unavailable: [503, 'Service Unavailable'],
};

/** Converts an error to a problem; unexpected errors reveal only the request id. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (!(error instanceof AppError)) {
    const [status, title] = [500, 'Internal Server Error'];
    return {
      type: 'about:blank',
      title,
      status,
      code: 'unexpected',
      reason: 'unexpected',
      fields: [],
      data: {},
      requestId,
    };
  }
  const [status, title] = statuses[error.code];
  const { code, reason, fields, data } = error;
  return { type: 'about:blank', title, status, code, reason, fields, data, requestId };
}

/** Parses an error response; returns null for foreign bodies and unexpected errors. */
export function refusalOf(body: unknown): AppError | null {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('reason' in body)) return null;
  const { code, reason, fields, data } = body as Problem;
  return Object.hasOwn(statuses, code)
    ? new AppError(code as ErrorCode, reason, { fields: [...fields], data: { ...data } })
    : null;
}
