import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { OpenIdProvider } from '#/platform/openid-providers.ts';

/** A real provider on this machine. Signing in as `name` gives the verified address `name`@grace.test. */
export interface RealProvider {
  config: OpenIdProvider;
  /** Serves, and sends people back only to this address. */
  sendBackTo(address: string): void;
  close(): Promise<void>;
}

export async function openRealProvider(): Promise<RealProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['italk', 'kept-between-the-two'];
  return {
    config: {
      id: 'church',
      label: 'Grace Church',
      issuer,
      clientId,
      clientSecret,
      domains: [],
      programClientIds: [],
    },
    sendBackTo(address) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [address] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        cookies: { keys: ['only-for-tests'] },
        findAccount: (_, accountId) => ({
          accountId,
          claims: () => ({
            sub: accountId,
            email: `${accountId}@grace.test`,
            email_verified: true,
            name: 'Naomi Weiss',
          }),
        }),
        pkce: { required: () => true },
      });
      const handle = provider.callback();
      server.on('request', (request, response) => void handle(request, response));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs in at a real provider as a browser would. Returns the query that it sends the browser back with. */
export async function signInThere(continueAt: string, name: string): Promise<string> {
  const jar = new Map<string, string>();
  const { origin } = new URL(continueAt);
  let address = continueAt;
  let form: URLSearchParams | null = null;
  for (let steps = 0; steps < 12; steps += 1) {
    const response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      body: form,
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair] = cookie.split(';');
      jar.set(pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1));
    }
    form = null;
    const location = response.headers.get('location');
    if (location) {
      address = new URL(location, address).href;
      if (!address.startsWith(origin)) return new URL(address).search;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (!prompt) throw new Error(`the provider answered ${response.status} ${page.slice(0, 300)}`);
    address = new URL(/action="([^"]+)"/.exec(page)![1]!, address).href;
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt });
  }
  throw new Error('the provider asks without end');
}
