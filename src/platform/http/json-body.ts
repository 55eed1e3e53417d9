import type { z } from 'zod';
import { AppError } from '#/kernel/errors.ts';
import { refusalOfIssues } from './validation.ts';

/** Bytes of a body; the longest call is a small fraction. */
const maxBody = 64 * 1024;

/**
 * Returns a JSON object; null for GET. Only PUT requires a body. Rejects a body that is too long by its headers alone.
 * Throws invalid `length_required`, `body_too_large` or `malformed`.
 */
export async function jsonBody(request: Request): Promise<unknown> {
  if (request.method === 'GET') return null;
  if (request.headers.has('transfer-encoding')) throw new AppError('invalid', 'length_required');
  const length = Number(request.headers.get('content-length') ?? 0);
  if (!(length <= maxBody)) throw new AppError('invalid', 'body_too_large');
  if (length === 0 && request.method !== 'PUT') return {};
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new AppError('invalid', 'malformed');
  const body: unknown = await request.json().catch(() => null);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('invalid', 'malformed');
  return body;
}

/** Throws invalid, naming the fields. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw refusalOfIssues(parsed.error.issues, body);
}
