import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '../context.ts';

/** A raw body upload instead of a procedure: `POST` to its path under `/api`. */
export interface Upload {
  path: string;
  /** In bytes; longer bodies are rejected unread. */
  maxBytes: number;
  /** Authorizes before reading the body. Errors are AppErrors. */
  receive(ctx: Ctx, sent: { query: URLSearchParams; body: ReadableStream<Uint8Array> }): Promise<object>;
}

/**
 * Returns the body as it arrives, then calls `requireSender`: it may take an hour, longer than a session or role.
 * Throws invalid `length_required` or `file_too_large` by headers alone.
 */
export function arrivingBody(
  request: Request,
  maxBytes: number,
  requireSender: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const length = request.headers.get('content-length');
  if (length === null) throw new AppError('invalid', 'length_required');
  if (Number(length) > maxBytes) throw invalidField('file', 'file_too_large');
  return ReadableStream.from(receiveBytes(request, requireSender));
}

async function* receiveBytes(
  request: Request,
  requireSender: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { body } = request;
  try {
    if (body) yield* body.values({ preventCancel: true });
    await requireSender();
  } finally {
    // Keeps reading after a refusal; otherwise the connection breaks before the sender sees it.
    await body?.pipeTo(new WritableStream());
  }
}
