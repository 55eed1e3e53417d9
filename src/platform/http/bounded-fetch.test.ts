import { createServer, type TlsOptions } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { newKeys } from '../../../tests/support/saml.ts';
import { boundedFetch } from './bounded-fetch.ts';

const { privateKey, certificate: cert } = newKeys();
const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
const fetched = boundedFetch({ timeout: 5_000, maxBytes: 1_000, loopback: false });

const closes: (() => void)[] = [];
afterAll(() => closes.forEach((close) => close()));

/** Returns why a request fails. */
async function failureAt(options: TlsOptions): Promise<string> {
  const server = createServer({ key, cert, ...options }, (socket) => socket.end());
  closes.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const error: unknown = await fetched(`https://127.0.0.1:${port}/`).catch((thrown: unknown) => thrown);
  const causes = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    causes.push(`${cause.message} ${(cause as NodeJS.ErrnoException).code ?? ''}`);
  return causes.join('\n');
}

test('connects with TLS 1.2 and 1.3 only', async () => {
  for (const only of ['TLSv1.2', 'TLSv1.3'] as const)
    // Nobody trusts its certificate.
    expect(await failureAt({ minVersion: only, maxVersion: only })).toMatch(/SELF_SIGNED/);
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  expect(await failureAt(old)).toMatch(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/);
});
