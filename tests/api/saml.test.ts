import { describe, expect, test } from 'vitest';
import { digest } from '#/platform/tokens.ts';
import { addClient } from '../support/people.ts';
import { programsOf } from '../support/programs.ts';
import { base64Of, testSaml, type PostedForm } from '../support/saml.ts';
import { problemIn, testServer, type Sent } from '../support/server.ts';

const clinic = testSaml();
const redirect = 'com.example.app://signed-in';
const server = await testServer({
  config: { mode: 'production', samlProviders: [clinic.config], programRedirects: [redirect] },
});
const without = await testServer();
const { appUrl } = server.config;
const { client, send } = programsOf(server);

const form = 'application/x-www-form-urlencoded';
const post = (posted: PostedForm, { headers, ...sent }: Sent = {}, visitor = server.guest) =>
  visitor.send('POST', '/saml/clinic/acs', {
    origin: 'https://id.grace.test',
    body: new URLSearchParams(posted).toString(),
    ...sent,
    headers: { 'content-type': form, ...headers },
  });

async function asked() {
  const { json, headers } = await server.guest.send('POST', '/api/auth/request-provider', {
    body: { provider: 'clinic' },
  });
  const [cookie] = headers['set-cookie'] as string[];
  return { continueAt: (json as { continueAt: string }).continueAt, cookie: cookie!.split(';')[0]! };
}

async function come(location: unknown, cookie: string) {
  const { pathname, search } = new URL(location as string);
  expect(pathname).toBe('/continue/clinic');
  return server.guest.send('POST', '/api/auth/sign-in/provider', {
    body: { provider: 'clinic', answer: search },
    headers: { cookie },
  });
}

describe('a provider’s post', () => {
  test.each(['https://id.grace.test', 'null', null])(
    'from %s signs in the browser that asked',
    async (origin) => {
      const { continueAt, cookie } = await asked();
      const { status, headers } = await post(clinic.visit(continueAt), { origin });
      expect(status).toBe(303);
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['cache-control']).toBe('no-store');
      expect((headers.location as string).startsWith(`${appUrl}/continue/clinic?state=sign_in.`)).toBe(true);
      // The response is given only to its own page.
      const { search } = new URL(headers.location as string);
      const foreign = await server.guest.send('POST', '/api/auth/sign-in/provider', {
        body: { provider: 'clinic', answer: search },
        headers: { cookie },
        origin: 'https://id.grace.test',
      });
      expect(problemIn(foreign).reason).toBe('foreign_origin');
      expect((await come(headers.location, cookie)).json).toMatchObject({ signedIn: true });
    },
  );

  test('changes nothing for someone signed in, whatever cookies come with it', async () => {
    const { db } = server.database;
    const person = await server.signIn(await addClient(db));
    const sessions = () => db.selectFrom('sessions').selectAll().orderBy('id').execute();
    const before = await sessions();
    const { continueAt } = await asked();
    const { status, headers } = await post(clinic.visit(continueAt), {}, person);
    expect(status).toBe(303);
    expect(problemIn(await come(headers.location, person.cookie)).reason).toBe('provider_expired');
    expect(await sessions()).toEqual(before);
  });

  test('is refused by its headers alone if it is too long', async () => {
    const { continueAt, cookie } = await asked();
    const { RelayState } = clinic.visit(continueAt);
    const long = { SAMLResponse: base64Of('x'.repeat(64 * 1024)), RelayState: RelayState! };
    expect(problemIn(await post(long))).toMatchObject({ status: 400, reason: 'body_too_large' });
    const chunked = { headers: { 'transfer-encoding': 'chunked' } };
    expect(problemIn(await post(long, chunked))).toMatchObject({ status: 400, reason: 'length_required' });
    // The request still waits for the right one.
    const { headers } = await post(clinic.visit(continueAt));
    expect((await come(headers.location, cookie)).status).toBe(200);
  });

  test('of no form names the field', async () => {
    for (const body of ['', '{}', 'SAMLResponse=%00'])
      expect(problemIn(await post({}, { body }))).toMatchObject({
        status: 400,
        fields: [{ field: 'SAMLResponse' }],
      });
  });

  test('is found only for providers that are configured', async () => {
    for (const [at, id] of [
      [server, 'unknown'],
      [without, 'clinic'],
    ] as const) {
      const path = `/saml/${id}/acs`;
      const sent = { origin: null, body: 'SAMLResponse=x', headers: { 'content-type': form } };
      expect((await at.guest.send('POST', path, sent)).status, path).toBe(404);
    }
    const { status, headers, text } = await server.guest.send('GET', '/saml/clinic/metadata');
    expect([status, headers['content-type']]).toEqual([200, 'application/samlmetadata+xml']);
    expect(text).toContain(`Location="${appUrl}/saml/clinic/acs"`);
    expect((await server.guest.send('GET', '/saml/unknown/metadata')).status).toBe(404);
    const off = await without.guest.send('GET', '/saml/clinic/metadata');
    expect(off.headers['content-type']).toBe('text/html');
  });
});

describe('the published client', () => {
  test.each<{ domain: string } | { providerId: string }>([
    { domain: 'Grace.test' },
    { providerId: 'clinic' },
  ])('signs in with %j', async (by) => {
    const auth = client({ flowType: 'pkce' });
    const options = { redirectTo: redirect, skipBrowserRedirect: true };
    const { data, error } = await auth.signInWithSSO({ ...by, options });
    expect(error).toBeNull();
    const { origin, pathname, search } = new URL(data!.url);
    expect(origin).toBe(appUrl);
    const sent = await server.guest.send('GET', `${pathname}${search}`, { origin: null });
    expect(sent.status, sent.text).toBe(303);
    const [cookie] = sent.headers['set-cookie'] as string[];
    const { headers } = await post(clinic.visit(sent.headers.location as string));
    const { json } = await come(headers.location, cookie!.split(';')[0]!);
    const { continueAt } = json as { continueAt: string };
    expect(continueAt.startsWith(`${redirect}?code=`)).toBe(true);
    const exchanged = await auth.exchangeCodeForSession(new URL(continueAt).searchParams.get('code')!);
    expect(exchanged.error).toBeNull();
    expect(exchanged.data.user).toMatchObject({ role: 'client', user_metadata: { full_name: 'Ruth Amsel' } });
  });

  const challenge = { code_challenge: digest('x'.repeat(43)), code_challenge_method: 's256' };
  test.each<[string, object, string]>([
    ['an unknown domain', { domain: 'evil.test', ...challenge }, 'sso_provider_not_found'],
    ['an unknown provider', { provider_id: 'google', ...challenge }, 'sso_provider_not_found'],
    ['neither', challenge, 'sso_provider_not_found'],
    ['no challenge', { domain: 'grace.test' }, 'provider_disabled'],
    [
      'a plain challenge',
      { domain: 'grace.test', ...challenge, code_challenge_method: 'plain' },
      'validation_failed',
    ],
    [
      'another address',
      { domain: 'grace.test', ...challenge, redirect_to: 'https://evil.test' },
      'validation_failed',
    ],
    ['a wrong type', { domain: 7, ...challenge }, 'validation_failed'],
  ])('gets no address for %s', async (_, body, code) => {
    expect((await send('POST', '/sso', { body })).json).toMatchObject({ error_code: code });
  });

  test('learns whether there are such providers', async () => {
    expect((await send('GET', '/settings')).json).toMatchObject({
      saml_enabled: true,
      external: { email: true },
    });
  });
});
