import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);

/** What is text by its type; files and live streams are left as they are. */
const texts = /^(text\/(html|x-script)|application\/(problem\+)?json)\b/;

/** Less than this travels in one packet either way, in bytes. */
const worthwhile = 1_000;

/**
 * The answer as gzip (RFC 1952), where the request takes it and it's text of some length. What is private may be
 * compressed because nobody else can put words beside it and weigh the answer (BREACH): other sites' requests come
 * without the session (SameSite=Lax), save when they lead the whole window here; such a visit with words of theirs
 * in the address is answered plainly. Nonces are other ones each time.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  if (!response.body || headers.has('content-encoding')) return response;
  if (!texts.test(headers.get('content-type') ?? '')) return response;
  headers.append('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '') || mayBeLed(request)) return response;
  const plain = Buffer.from(await response.arrayBuffer());
  if (plain.byteLength < worthwhile) return new Response(plain, { status, headers });
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  return new Response(await pack(plain), { status, headers });
}

/** Whether another site may have chosen the words in the address; a browser that doesn't say counts as led. */
function mayBeLed(request: Request): boolean {
  if (new URL(request.url).search === '') return false;
  return !['same-origin', 'none'].includes(request.headers.get('sec-fetch-site') ?? '');
}
