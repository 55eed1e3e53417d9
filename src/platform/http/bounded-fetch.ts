import { isLoopback } from '../config-safety.ts';

/** Thrown if a server can't be reached, is too slow, fails, or answers with too much. */
export class NoAnswer extends Error {}

interface Bounds {
  /** Milliseconds for the whole answer. */
  timeout: number;
  maxBytes: number;
  /** Allows http on this machine. */
  loopback: boolean;
}

/** Returns a `fetch` for requests to other servers: https only, with limits, without following redirects. */
export function boundedFetch({ timeout, maxBytes, loopback }: Bounds) {
  return async (
    address: string,
    { method, headers, body }: Pick<RequestInit, 'method' | 'headers' | 'body'> = {},
  ): Promise<Response> => {
    const { protocol, hostname } = new URL(address);
    if (protocol !== 'https:' && !(loopback && isLoopback(hostname)))
      throw new NoAnswer(`${protocol}//${hostname} isn’t https`);
    try {
      const response = await fetch(address, {
        method: method ?? 'GET',
        headers: headers ?? {},
        body: body ?? null,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      if (response.status >= 500 || response.status === 429)
        throw new NoAnswer(`${hostname} answered ${response.status}`);
      const { status, headers: answered } = response;
      return new Response(await bytesOf(response, maxBytes), { status, headers: answered });
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      throw new NoAnswer(`${hostname} gave no answer`, { cause: error });
    }
  };
}

async function bytesOf(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!response.body) return null;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > maxBytes) throw new NoAnswer(`an answer has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Uint8Array.from(Buffer.concat(parts));
}
