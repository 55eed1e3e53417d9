import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressed } from './compression.ts';

const words = 'Peace be with you. '.repeat(200);

function asked(address: string, headers: Record<string, string> = {}): Request {
  return new Request(`https://italk.example${address}`, {
    headers: { 'accept-encoding': 'gzip', ...headers },
  });
}

function page(body = words, type = 'text/html; charset=utf-8'): Response {
  return new Response(body, { status: 203, headers: { 'content-type': type, 'cache-control': 'no-store' } });
}

describe('compression', () => {
  it('compresses pages, page data and API responses, keeping status and headers', async () => {
    for (const type of ['text/html; charset=utf-8', 'text/x-script', 'application/json']) {
      const answer = await compressed(asked('/home'), page(words, type));
      expect(answer.status).toBe(203);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('vary')).toBe('accept-encoding');
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(gunzipSync(await answer.bytes()).toString()).toBe(words);
    }
  });

  it('doesn’t compress small or binary responses, or for clients that don’t accept it', async () => {
    const left = [
      await compressed(asked('/home'), page('Peace.')),
      await compressed(asked('/home', { 'accept-encoding': 'identity' }), page()),
      await compressed(asked('/home', { 'accept-encoding': 'gzip;q=0, identity' }), page()),
      await compressed(asked('/home'), page(words, 'image/png')),
      await compressed(asked('/home'), page(words, 'text/event-stream')),
      await compressed(asked('/home'), new Response(null, { status: 204 })),
    ];
    for (const answer of left) expect(answer.headers.has('content-encoding')).toBe(false);
  });

  it('doesn’t compress a response if another site may have set its query', async () => {
    const encoded = async (address: string, site?: string) => {
      const answer = await compressed(asked(address, site ? { 'sec-fetch-site': site } : {}), page());
      expect(await answer.text()).not.toBe('');
      return answer.headers.get('content-encoding');
    };
    expect(await encoded('/resources?q=guess', 'cross-site')).toBe(null);
    expect(await encoded('/resources?q=guess', 'same-site')).toBe(null);
    expect(await encoded('/resources?q=guess')).toBe(null);
    expect(await encoded('/resources?q=hope', 'same-origin')).toBe('gzip');
    expect(await encoded('/resources?q=hope', 'none')).toBe('gzip');
    expect(await encoded('/home', 'cross-site')).toBe('gzip');
  });
});
