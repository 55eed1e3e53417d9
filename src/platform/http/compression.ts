import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const pack = promisify(gzip);

/** Text types; excludes files and live streams. */
const texts = /^(text\/(html|x-script)|application\/(problem\+)?json)\b/;

/** Minimum size in bytes; smaller responses fit into one packet anyway. */
const worthwhile = 1_000;

/** Whether an Accept-Encoding header names the coding and doesn't refuse it by a weight of 0 (RFC 9110, 12.5.3). */
export function accepts(header: string | null | undefined, coding: 'br' | 'gzip'): boolean {
  return (header ?? '')
    .split(',')
    .map((part) =>
      part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/),
    )
    .some(([name, weight]) => name === coding && Number(weight ?? 1) > 0);
}

/**
 * Compresses text responses with gzip (RFC 1952). BREACH needs attacker-chosen text beside private data: cross-site
 * subrequests carry no session cookie (SameSite=Lax), cross-site navigations with a query stay uncompressed, and nonces
 * change per response.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  if (!response.body || headers.has('content-encoding')) return response;
  if (!texts.test(headers.get('content-type') ?? '')) return response;
  headers.append('vary', 'accept-encoding');
  if (!accepts(request.headers.get('accept-encoding'), 'gzip') || mayBeCrossSite(request)) return response;
  const plain = Buffer.from(await response.arrayBuffer());
  if (plain.byteLength < worthwhile) return new Response(plain, { status, headers });
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  return new Response(await pack(plain), { status, headers });
}

/** Returns true if another site may have chosen the query. Assumes so without Sec-Fetch-Site. */
function mayBeCrossSite(request: Request): boolean {
  if (new URL(request.url).search === '') return false;
  return !['same-origin', 'none'].includes(request.headers.get('sec-fetch-site') ?? '');
}
