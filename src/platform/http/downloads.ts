import type { Ctx } from '../context.ts';

/** A document that is made when it is asked for, which the API's procedures don't give: `GET` of its path under `/api`. */
export interface Download {
  /** Such as `/me/report.pdf`, without parameters. */
  path: string;
  /** Authorises first, then makes it. Refusals are AppErrors like any procedure's. */
  make(ctx: Ctx): Promise<{ filename: string; contentType: string; bytes: Uint8Array<ArrayBuffer> }>;
}

/** Answers with a document that was made for who asks, and is kept by nobody in between. */
export async function answerDownload({ make }: Download, ctx: Ctx): Promise<Response> {
  const { filename, contentType, bytes } = await make(ctx);
  return new Response(bytes, {
    headers: {
      'content-type': contentType,
      'content-length': String(bytes.byteLength),
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  });
}
