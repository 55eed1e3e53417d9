import { AppError, type ErrorCode, type FieldProblem } from './errors.ts';

/** A refusal as it travels: RFC 9457 problem details, with our closed code and reason. */
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

/** The HTTP status of each code (RFC 9110, section 15.5; 429 from RFC 6585). */
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

/** The problem that tells of an error; a defect tells nothing but its request id. */
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

/** The refusal that a received problem tells of, or null if the body isn't a problem of ours or tells of a defect or an outage. */
export function refusalOf(body: unknown): AppError | null {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('reason' in body)) return null;
  const { code, reason, fields, data } = body as Problem;
  const outage = code === 'unavailable' && reason === 'database';
  return Object.hasOwn(statuses, code) && !outage
    ? new AppError(code as ErrorCode, reason, { fields: [...fields], data: { ...data } })
    : null;
}
