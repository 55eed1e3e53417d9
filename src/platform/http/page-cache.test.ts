import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isAnonymous, openPageCache, withNonce } from './page-cache.ts';

const html = `<p nonce="PLACE">${'Peace be with you. '.repeat(400)}</p><script nonce="PLACE">1</script>`;

describe('the page cache', () => {
  it('serves each response its own nonce, uncompressed and as valid gzip', () => {
    const page = openPageCache().set('en /', html, 'PLACE', 0, 0);
    for (const nonce of ['a', 'b7-_x', 'c'.repeat(64)]) {
      const expected = html.replaceAll('PLACE', nonce);
      expect(withNonce(page, nonce, false).toString()).toBe(expected);
      expect(gunzipSync(withNonce(page, nonce, true)).toString()).toBe(expected);
    }
    expect(withNonce(page, 'a', true).length).toBeLessThan(html.length / 4);
  });

  it('expires a page after a minute, and all pages when cleared', () => {
    const cache = openPageCache();
    cache.set('en /', html, 'PLACE', 0, 0);
    expect(cache.get('en /', 59_999)).not.toBeNull();
    expect(cache.get('en /', 60_000)).toBeNull();
    cache.clear();
    expect(cache.get('en /', 0)).toBeNull();
  });

  it('keeps at most 200 pages, dropping the oldest', () => {
    const cache = openPageCache();
    for (let i = 0; i < 201; i++) cache.set(`en /service/${i}`, html, 'PLACE', 0, 0);
    expect(cache.get('en /service/0', 0)).toBeNull();
    expect(cache.get('en /service/200', 0)).not.toBeNull();
  });

  it('doesn’t store a page whose rendering began before a clear', () => {
    const cache = openPageCache();
    const begun = cache.drops();
    cache.clear();
    cache.set('en /', html, 'PLACE', 0, begun);
    expect(cache.get('en /', 0)).toBeNull();
    cache.set('en /', html, 'PLACE', 0, cache.drops());
    expect(cache.get('en /', 0)).not.toBeNull();
  });
});

it('never treats a request with a session cookie as anonymous, in any cookie format', () => {
  for (const cookie of [undefined, null, '', 'theme=dark', 'a=b; c=d'])
    expect(isAnonymous(cookie)).toBe(true);
  for (const name of ['italk.session_token', '__Secure-italk.session_token']) {
    for (const before of ['', 'a=b; ', 'a=b;', 'a=b;   ', ';', 'a=b;\t']) {
      expect(isAnonymous(`${before}${name}=x.y`)).toBe(false);
    }
  }
});
