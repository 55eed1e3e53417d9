import type { Ctx } from '../context.ts';

/** A document that is made when it is asked for, which the API's procedures don't give: `GET` of its path under `/api`. */
export interface Download {
  /** Such as `/me/report.pdf`, without parameters of its own. */
  path: string;
  /** Authorises first, then makes what the query of the address asks for. Refusals are AppErrors like any procedure's. */
  make(
    ctx: Ctx,
    query: URLSearchParams,
  ): Promise<{
    filename: string;
    contentType: string;
    /** Whole, or made while they are sent. */
    bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  }>;
}

/** Answers with a document that was made for who asks, and is kept by nobody in between. */
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
