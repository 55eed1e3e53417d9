import type { Ctx } from '../context.ts';

/** A generated document instead of a procedure: `GET` of its path under `/api`. */
export interface Download {
  path: string;
  /** Authorizes before generating the document. Errors are AppErrors. */
  make(
    ctx: Ctx,
    query: URLSearchParams,
  ): Promise<{
    filename: string;
    contentType: string;
    bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  }>;
}

export async function answerDownload({ make }: Download, ctx: Ctx, request: Request): Promise<Response> {
  const { filename, contentType, bytes } = await make(ctx, new URL(request.url).searchParams);
  return new Response(bytes, {
    headers: {
      'content-type': contentType,
      ...(bytes instanceof Uint8Array && { 'content-length': String(bytes.byteLength) }),
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  });
}
