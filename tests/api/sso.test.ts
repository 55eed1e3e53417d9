import { afterAll, expect, test, vi } from 'vitest';
import type { PublicSite } from '#/features/settings/contract.ts';
import { digest } from '#/platform/tokens.ts';
import { openRealProvider, signInThere } from '../support/openid-server.ts';
import { programsOf } from '../support/programs.ts';
import { testSaml } from '../support/saml.ts';
import { testServer } from '../support/server.ts';

// It warns of its settings for development.
for (const how of ['warn', 'info'] as const) vi.spyOn(console, how).mockImplementation(() => undefined);
const real = await openRealProvider();
afterAll(() => real.close());
const church = { ...real.config, domains: ['church.test', 'grace.test'] };
const google = { ...real.config, id: 'google', issuer: 'https://accounts.google.test' };
const clinic = testSaml({ domains: ['clinic.test', 'grace.test'] });

const redirect = 'com.example.app://signed-in';
const config = { mode: 'production', programRedirects: [redirect] } as const;
const server = await testServer({
  config: { ...config, openIdProviders: [google, church], samlProviders: [clinic.config] },
});
const without = await testServer({ config: { ...config, openIdProviders: [google] } });
const { appUrl } = server.config;
const { client, send } = programsOf(server);
real.sendBackTo(`${appUrl}/continue/church`);

/** Goes to the provider and comes back with its answer. */
async function comeBack(id: string, at: string): Promise<string> {
  if (id === 'church') return signInThere(at, 'naomi');
  const { headers } = await server.guest.send('POST', `/saml/${id}/acs`, {
    origin: 'https://id.grace.test',
    body: new URLSearchParams(clinic.visit(at)).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return new URL(headers.location as string).search;
}

test.each<[{ domain: string } | { providerId: string }, string]>([
  [{ domain: 'Church.test' }, 'church'],
  [{ domain: 'grace.test' }, 'church'],
  [{ providerId: 'church' }, 'church'],
  [{ domain: 'Clinic.test' }, 'clinic'],
  [{ providerId: 'clinic' }, 'clinic'],
])('signs in with %j', async (by, id) => {
  const auth = client({ flowType: 'pkce' });
  const options = { redirectTo: redirect, skipBrowserRedirect: true };
  const { data, error } = await auth.signInWithSSO({ ...by, options });
  expect(error).toBeNull();
  const { origin, pathname, search } = new URL(data!.url);
  expect(origin).toBe(appUrl);
  const sent = await server.guest.send('GET', `${pathname}${search}`, { origin: null });
  expect(sent.status, sent.text).toBe(303);
  const [cookie] = sent.headers['set-cookie'] as string[];
  const answer = await comeBack(id, sent.headers.location as string);
  const { json } = await server.guest.send('POST', '/api/auth/sign-in/provider', {
    body: { provider: id, answer },
    headers: { cookie: cookie!.split(';')[0]! },
  });
  const { continueAt } = json as { continueAt: string };
  expect(continueAt.startsWith(`${redirect}?code=`)).toBe(true);
  const exchanged = await auth.exchangeCodeForSession(new URL(continueAt).searchParams.get('code')!);
  expect(exchanged.error).toBeNull();
  expect(exchanged.data.user!.app_metadata.providers).toContain(id);
});

const challenge = { code_challenge: digest('x'.repeat(43)), code_challenge_method: 's256' };
test.each([
  ['a subdomain', { domain: 'mail.church.test' }],
  ['part of a domain', { domain: 'test' }],
  ['no domain', { domain: '' }],
  ['a provider without domains', { provider_id: 'google' }],
])('finds no provider for %s', async (_, body) => {
  const { json } = await send('POST', '/sso', { body: { ...challenge, ...body } });
  expect(json).toMatchObject({ error_code: 'sso_provider_not_found' });
});

test('is off where no provider has domains', async () => {
  const body = { ...challenge, domain: 'church.test' };
  const { json } = await programsOf(without).send('POST', '/sso', { body });
  expect(json).toMatchObject({ error_code: 'provider_disabled' });
});

test('shows the sign-in card names and domains only', async () => {
  const { json } = await server.guest.send('GET', '/api/site');
  expect((json as PublicSite).providers).toEqual([
    { id: 'google', label: 'Grace Church', domains: [] },
    { id: 'church', label: 'Grace Church', domains: ['church.test', 'grace.test'] },
    { id: 'clinic', label: 'Grace Clinic', domains: ['clinic.test', 'grace.test'] },
  ]);
});
