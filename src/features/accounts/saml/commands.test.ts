import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { freshSession, type Person } from '../../../../tests/support/people.ts';
import {
  newKeys,
  sha256,
  signedXml,
  testSaml,
  xmlOf,
  type PostedForm,
  type Responded,
} from '../../../../tests/support/saml.ts';
import { changeAddress } from '../address-change/commands.ts';
import { makeLinkToken } from '../commands.ts';
import { deleteExpiredRequests } from '../openid/commands.ts';
import {
  beginIdentity,
  connectIdentity,
  ownIdentities,
  removeIdentity,
} from '../linked-identities/commands.ts';
import { signInProviders } from '../provider-sign-in/commands.ts';
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/commands.ts';

const [keys, nextKeys, foreignKeys] = [newKeys(), newKeys(), newKeys()];
const clinic = testSaml({ certificates: [keys.certificate, nextKeys.certificate] }, { keys });
/** Another provider of the site, whose people are addressed by NameID. */
const mission = testSaml({
  id: 'mission',
  label: 'Mission',
  entityId: 'https://id.mission.test',
  domains: ['mission.test'],
  emailAttribute: undefined,
  nameAttribute: undefined,
});
const samlProviders = [clinic.config, mission.config];
const database = await testDatabase({ poolSize: 8 });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, send, signIn, signUp, linkOf, actorOf, verified, userOf, entries, freshAddress } =
  identitiesOf(database, { samlProviders });
const system = as({ kind: 'system' });
const noon = '2026-03-02T12:00:00Z';

beforeEach(() => setNow(noon));

let people = 0;
const newPerson = () => {
  people += 1;
  return { nameId: `uid-${people}`, email: `by.saml.${people}@grace.test` };
};

interface Asked {
  continueAt: string;
  cookie: string;
}

async function asked(provider = 'clinic', next = '/about'): Promise<Asked> {
  const { body, cookie } = await send(production, '/request-provider', { provider, next });
  return { continueAt: body.continueAt as string, cookie };
}

const visit = (continueAt: string, responded: Responded = {}, provider = clinic) =>
  provider.visit(continueAt, { now: guest.now(), ...responded });

/** What a browser does with the provider's form. Returns the query of the page that it ends at. */
async function post(form: PostedForm, provider = 'clinic'): Promise<string> {
  const posted = { id: provider, form: new URLSearchParams(form).toString() };
  const { status, headers } = await production.receiveSaml(posted, {
    address: freshAddress(),
    requestId: 'x',
  });
  expect(status).toBe(303);
  expect(headers.getSetCookie()).toEqual([]);
  const { origin, pathname, search } = new URL(headers.get('location')!);
  expect(`${origin}${pathname}`).toBe(`https://italk.test/continue/${provider}`);
  return search;
}

const come = (answer: string, cookie: string, more: object = {}) =>
  send(production, '/sign-in/provider', { provider: 'clinic', answer, ...more }, { cookie });

/** The whole way: asks, visits the provider, and comes back. */
async function through(responded: Responded) {
  const { continueAt, cookie } = await asked();
  return come(await post(visit(continueAt, responded)), cookie);
}

const turnOnSecondFactors = () =>
  db
    .updateTable('feature_flags')
    .set({ enabled: true, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();

const expired = { status: 412, body: { reason: 'provider_expired' }, cookies: [] };
const refused = { status: 401, body: { reason: 'provider_refused' }, cookies: [] };
const exists = { status: 409, body: { reason: 'provider_account_exists' }, cookies: [] };

describe('a provider', () => {
  test('is asked by redirect, bound to the browser by a cookie', async () => {
    const { continueAt, cookie } = await asked();
    const { origin, pathname, searchParams } = new URL(continueAt);
    expect(`${origin}${pathname}`).toBe('https://id.grace.test/sso');
    expect([...searchParams.keys()]).toEqual(['tenant', 'SAMLRequest', 'RelayState']);
    expect(searchParams.get('RelayState')).toMatch(/^sign_in\.[\w-]{32}$/);
    expect(cookie).toMatch(/^__Secure-italk\.provider\.[\w-]{12}=[\w-]{32}$/);
    const stored = JSON.stringify(await db.selectFrom('openid_requests').selectAll().execute());
    expect(stored).not.toContain(searchParams.get('RelayState'));
  });

  test('creates an account, as a client with the name it gives, and signs in to it again', async () => {
    const { nameId, email } = newPerson();
    const first = await through({ nameId, email: email.toUpperCase() });
    expect(first).toMatchObject({ status: 200, body: { signedIn: true, next: '/about', isNew: true } });
    const user = (await userOf(email))!;
    expect(user).toMatchObject({ name: 'Ruth Amsel', email_verified: true });
    expect(await actorOf(production, first.cookie)).toMatchObject({ id: user.id, role: 'client' });
    for (const action of ['account_created', 'identity_connected', 'signed_in'])
      expect(await entries(action, user.id), action).toHaveLength(1);
    const again = await through({ nameId, email: newPerson().email });
    expect(again.body).toEqual({ signedIn: true, next: '/about' });
    expect(await actorOf(production, again.cookie)).toMatchObject({ id: user.id });
    const linked = await db
      .selectFrom('linked_identities')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    expect(linked).toMatchObject([{ provider: 'clinic', issuer: clinic.config.entityId, subject: nameId }]);
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', email));
    expect(mails.map(({ text_body }) => text_body).join()).toContain('signed in to from a new device');
  });

  test('may send the address as the NameID', async () => {
    const { continueAt, cookie } = await asked('mission');
    const nameId = 'naomi.weiss@mission.test';
    const answer = await post(visit(continueAt, { nameId }, mission), 'mission');
    const input = { provider: 'mission', answer };
    expect((await send(production, '/sign-in/provider', input, { cookie })).body).toMatchObject({
      isNew: true,
    });
    expect(await userOf(nameId)).toMatchObject({ name: 'Naomi Weiss' });
  });

  test('may sign with either certificate, sign the response too, and have a slightly wrong clock', async () => {
    const now = guest.now();
    for (const responded of [
      { keys: nextKeys },
      { signed: ['assertion', 'response'] as const },
      {
        algorithms: [
          'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
          'http://www.w3.org/2001/04/xmlenc#sha512',
        ] as const,
      },
      { now: now.add({ seconds: 29 }) },
      { now: now.subtract({ minutes: 5, seconds: 29 }) },
    ])
      expect((await through({ ...newPerson(), ...responded })).status, JSON.stringify(responded)).toBe(200);
  });

  test('names the provider when the person cancels', async () => {
    const canceled = (xml: string) =>
      xml
        .replace(/<saml:Assertion.*<\/saml:Assertion>/, '')
        .replace(
          /<samlp:StatusCode [^>]*>/,
          '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>',
        );
    expect(await through({ tampered: canceled })).toMatchObject({
      status: 412,
      body: { reason: 'provider_canceled', data: { label: 'Grace Clinic', next: '/about' } },
      cookies: [],
    });
    const failed = (xml: string) => canceled(xml).replace('AuthnFailed', 'InvalidNameIDPolicy');
    expect(await through({ tampered: failed })).toMatchObject(refused);
    const both = (xml: string) => xml.replace('status:Success', 'status:Responder');
    expect(await through({ tampered: both })).toMatchObject(refused);
  });

  test('gets our metadata as XML', async () => {
    const metadata = await production.samlMetadata('clinic');
    for (const part of [
      'entityID="https://italk.test/saml/clinic/metadata"',
      'Location="https://italk.test/saml/clinic/acs"',
      'WantAssertionsSigned="true"',
      'nameid-format:persistent',
    ])
      expect(metadata).toContain(part);
    expect(await production.samlMetadata('mission')).toContain('nameid-format:emailAddress');
    await expect(production.samlMetadata('unknown')).rejects.toMatchObject({ reason: 'provider' });
  });

  test('refuses posts of a provider that isn’t configured', async () => {
    const posted = { id: 'unknown', form: 'SAMLResponse=x' };
    await expect(production.receiveSaml(posted, { address: null, requestId: 'x' })).rejects.toMatchObject({
      reason: 'provider',
    });
  });
});

describe('a response', () => {
  test('is taken once, in the browser that asked, for ten minutes', async () => {
    const { continueAt, cookie } = await asked();
    const other = await asked();
    const answer = await post(visit(continueAt, newPerson()));
    const [name] = cookie.split('=');
    const [, secret] = other.cookie.split('=');
    for (const jar of ['', other.cookie, `${cookie}x`, `${name}=`, `${name}=${secret}`])
      expect(await come(answer, jar), jar).toMatchObject(expired);
    expect((await come(answer, cookie)).status).toBe(200);
    expect(await come(answer, cookie)).toMatchObject(expired);
    const late = await asked();
    const form = visit(late.continueAt, { ...newPerson(), now: guest.now().add({ minutes: 9 }) });
    setNow('2026-03-02T12:10:00Z');
    expect(await come(await post(form), late.cookie)).toMatchObject(expired);
  });

  test('posted into another browser signs nobody in there', async () => {
    const stranger = await asked();
    const victim = await asked();
    const answer = await post(visit(stranger.continueAt, newPerson()));
    expect(await come(answer, victim.cookie)).toMatchObject(expired);
    // The page alone decides nothing: the victim's own request still waits.
    expect((await come(await post(visit(victim.continueAt, newPerson())), victim.cookie)).status).toBe(200);
  });

  test('wins one session with fifty parallel tries', async () => {
    const { continueAt, cookie } = await asked();
    const answer = await post(visit(continueAt, newPerson()));
    const answers = await Promise.all(Array.from({ length: 50 }, () => come(answer, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const one of answers.filter(({ status }) => status !== 200)) expect(one).toMatchObject(expired);
  });

  test('is kept only until its browser fetches it, and only the first', async () => {
    const { nameId, email } = newPerson();
    const { continueAt, cookie } = await asked();
    const answer = await post(visit(continueAt, { nameId, email }));
    await post(visit(continueAt, newPerson()));
    const kept = () =>
      db
        .selectFrom('openid_requests')
        .select('response')
        .where('state', '=', digest(new URLSearchParams(answer).get('state')!))
        .execute();
    const [{ response }] = (await kept()) as [{ response: string }];
    expect(Buffer.from(response.split(':').at(-1)!, 'base64').toString()).not.toMatch(/saml/i);
    await turnOnSecondFactors();
    await db.updateTable('site_settings').set({ require_two_factor: true }).execute();
    expect((await come(answer, cookie)).body).toMatchObject({ signedIn: false });
    await db.updateTable('site_settings').set({ require_two_factor: false }).execute();
    expect(await kept()).toEqual([{ response: null }]);
    await post(visit(continueAt, newPerson()));
    expect(await kept()).toEqual([{ response: null }]);
    expect(await userOf(email)).toMatchObject({ email });
  });

  test('doesn’t open as the answer to another request', async () => {
    const [theirs, ours] = [await asked(), await asked()];
    const answers = [];
    for (const { continueAt } of [theirs, ours]) answers.push(await post(visit(continueAt, newPerson())));
    const [from, to] = answers.map((one) => digest(new URLSearchParams(one).get('state')!)) as [
      string,
      string,
    ];
    const moved = db.selectFrom('openid_requests').where('state', '=', from).select('response');
    await db.updateTable('openid_requests').set({ response: moved }).where('state', '=', to).execute();
    expect(await come(answers[1]!, ours.cookie)).toMatchObject({ status: 500, cookies: [] });
  });

  test('deletes an expired response that no browser fetched', async () => {
    const { continueAt } = await asked();
    const answer = await post(visit(continueAt, newPerson()));
    const state = digest(new URLSearchParams(answer).get('state')!);
    const left = () => db.selectFrom('openid_requests').where('state', '=', state).select('state').execute();
    const at = (minutes: number) => ({ ...guest, now: () => guest.now().add({ minutes }) });
    await deleteExpiredRequests(at(9));
    expect(await left()).toHaveLength(1);
    await deleteExpiredRequests(at(10));
    expect(await left()).toEqual([]);
  });

  test.each<[string, PostedForm]>([
    ['no response', {}],
    ['one that isn’t base64', { SAMLResponse: '<xml/>' }],
    ['a null byte', { SAMLResponse: 'PHg+\u0000' }],
  ])('with %s is a wrong form', async (_, form) => {
    const posted = { id: 'clinic', form: new URLSearchParams(form).toString() };
    await expect(production.receiveSaml(posted, { address: null, requestId: 'x' })).rejects.toMatchObject({
      reason: 'fields',
      fields: [{ field: 'SAMLResponse' }],
    });
  });

  test('refuses an unsolicited response', async () => {
    const { continueAt, cookie } = await asked();
    const form = visit(continueAt, newPerson());
    for (const relayState of ['', '/home', 'sign_in.invented', 'x'.repeat(5_000)]) {
      const answer = await post({ ...form, RelayState: relayState });
      expect(answer.length).toBeLessThan(100);
      expect(await come(answer, cookie)).toMatchObject(expired);
    }
    const unsolicited = (xml: string) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '');
    expect(await through({ assertion: unsolicited, response: unsolicited })).toMatchObject(refused);
    // The browser came before anything was posted.
    const state = new URL(continueAt).searchParams.get('RelayState')!;
    expect(await come(`?state=${state}`, cookie)).toMatchObject(refused);
  });

  test('for another request is refused, even in the same browser', async () => {
    const [first, second] = [await asked(), await asked()];
    const person = newPerson();
    const form = visit(first.continueAt, person);
    const state = new URL(second.continueAt).searchParams.get('RelayState')!;
    const replayed = await post({ ...form, RelayState: state });
    expect(await come(replayed, second.cookie)).toMatchObject(refused);
    // Not even with the assertion in a response to that request.
    const third = await asked();
    const [assertion] = /<saml:Assertion.*<\/saml:Assertion>/.exec(xmlOf(form))!;
    const around = visit(third.continueAt, {
      tampered: (xml) => xml.replace(/<saml:Assertion.*<\/saml:Assertion>/, assertion),
    });
    expect(await come(await post(around), third.cookie)).toMatchObject(refused);
    expect(await userOf(person.email)).toBeUndefined();
  });

  test('from one provider isn’t taken for another’s', async () => {
    const { continueAt, cookie } = await asked();
    const form = visit(continueAt, newPerson());
    const input = { provider: 'mission', answer: await post(form, 'mission') };
    expect(await send(production, '/sign-in/provider', input, { cookie })).toMatchObject(expired);
    // Nor is it in the way of the right one.
    const { continueAt: next, cookie: own } = await asked();
    const right = visit(next, newPerson());
    await post({ ...form, RelayState: right.RelayState! }, 'mission');
    expect((await come(await post(right), own)).status).toBe(200);
    const entityId = mission.config.entityId;
    expect(
      await through({ assertion: (xml) => xml.replace(clinic.config.entityId, entityId) }),
    ).toMatchObject(refused);
  });
});

const entity = '<!DOCTYPE x [<!ENTITY a "naomi"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
const change =
  (from: string | RegExp, to: string): ((xml: string) => string) =>
  (xml) => {
    expect(xml).toMatch(from);
    return xml.replace(from, to);
  };
const minutesAway = (minutes: number) => guest.now().add({ minutes }).toString();

describe('sign-in is refused', () => {
  test.each<[string, () => Responded]>([
    ['no signature', () => ({ signed: [] })],
    ['only the response signed', () => ({ signed: ['response'] })],
    [
      'a response changed after it was signed',
      () => ({ signed: ['assertion', 'response'], tampered: change('Version="2.0"', 'Version="2.1"') }),
    ],
    [
      'a response that another key signed',
      () => ({
        tampered: (xml) => signedXml(xml, 'Response', { keys: foreignKeys }),
      }),
    ],
    ['an assertion changed after it was signed', () => ({ tampered: change(/>uid-\d+</, '>uid-1<') })],
    ['another key, whose certificate it shows', () => ({ keys: foreignKeys })],
    [
      'a foreign issuer with its own key',
      () => ({
        keys: foreignKeys,
        assertion: change(clinic.config.entityId, 'https://id.evil.test'),
      }),
    ],
    [
      'a foreign issuer around it',
      () => ({ response: change(clinic.config.entityId, 'https://id.evil.test') }),
    ],
    [
      'a foreign issuer within',
      () => ({ assertion: change(clinic.config.entityId, 'https://id.evil.test') }),
    ],
    ['SHA-1 signatures', () => ({ algorithms: ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', sha256[1]] })],
    ['SHA-1 digests', () => ({ algorithms: [sha256[0], sha1] })],
    [
      'SHA-1 digests around it',
      () => ({
        tampered: (xml) => signedXml(xml, 'Response', { keys, algorithms: [sha256[0], sha1] }),
      }),
    ],
    ['another audience', () => ({ assertion: change('/saml/clinic/metadata<', '/saml/mission/metadata<') })],
    [
      'no audience',
      () => ({ assertion: change(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }),
    ],
    [
      'another recipient',
      () => ({ assertion: change(/Recipient="[^"]*"/, 'Recipient="https://evil.test/acs"') }),
    ],
    ['no recipient', () => ({ assertion: change(/ Recipient="[^"]*"/, '') })],
    [
      'another destination',
      () => ({ response: change(/Destination="[^"]*"/, 'Destination="https://evil.test/acs"') }),
    ],
    ['an expired assertion', () => ({ now: guest.now().subtract({ minutes: 6 }) })],
    ['an assertion that isn’t valid yet', () => ({ now: guest.now().add({ minutes: 1 }) })],
    [
      'another request around it',
      () => ({ response: change(/ InResponseTo="[^"]*"/, ' InResponseTo="_another"') }),
    ],
    [
      'expired conditions',
      () => ({ assertion: change(/(Conditions [^>]*NotOnOrAfter=")[^"]*/, `$1${minutesAway(-1)}`) }),
    ],
    [
      'an expired confirmation',
      () => ({ assertion: change(/(Data [^>]*NotOnOrAfter=")[^"]*/, `$1${minutesAway(-1)}`) }),
    ],
    [
      'a confirmation that isn’t valid yet',
      () => ({ assertion: change('Data ', `Data NotBefore="${minutesAway(1)}" `) }),
    ],
    ['a confirmation without end', () => ({ assertion: change(/(Data [^>]*) NotOnOrAfter="[^"]*"/, '$1') })],
    [
      'conditions without end',
      () => ({ assertion: change(/(Conditions [^>]*) NotOnOrAfter="[^"]*"/, '$1') }),
    ],
    [
      'a time that isn’t one',
      () => ({ assertion: change(/(Conditions [^>]*NotOnOrAfter=")[^"]*/, '$1always') }),
    ],
    [
      'an unknown condition',
      () => ({ assertion: change('</saml:Conditions>', '<saml:Condition/></saml:Conditions>') }),
    ],
    ['no conditions', () => ({ assertion: change(/<saml:Conditions.*<\/saml:Conditions>/, '') })],
    ['another confirmation', () => ({ assertion: change('cm:bearer', 'cm:sender-vouches') })],
    [
      'two confirmations',
      () => ({
        assertion: (xml) => xml.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '$&$&'),
      }),
    ],
    [
      'no statement that the person signed in',
      () => ({ assertion: change(/<saml:AuthnStatement [^>]*>/, '') }),
    ],
    [
      'a transient NameID',
      () => ({ assertion: change('nameid-format:persistent', 'nameid-format:transient') }),
    ],
    ['a NameID of no format', () => ({ assertion: change(/ Format="[^"]*"/, '') })],
    ['no NameID', () => ({ assertion: change(/<saml:NameID.*<\/saml:NameID>/, '') })],
    ['an empty NameID', () => ({ nameId: '' })],
    [
      'two assertions',
      () => ({ tampered: (xml) => xml.replace(/<saml:Assertion.*<\/saml:Assertion>/, '$&$&') }),
    ],
    ['no assertion', () => ({ tampered: change(/<saml:Assertion.*<\/saml:Assertion>/, '') })],
    ['a DTD', () => ({ tampered: (xml) => `<!DOCTYPE x>${xml}` })],
    ['entities', () => ({ tampered: (xml) => `${entity}${xml.replace(/>uid-\d+</, '>&b;<')}` })],
    [
      'an external entity',
      () => ({ tampered: (xml) => `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>${xml}` }),
    ],
    ['a comment', () => ({ tampered: change('<saml:Subject>', '<saml:Subject><!-- x -->') })],
    ['an instruction', () => ({ tampered: change('<saml:Subject>', '<saml:Subject><?x y?>') })],
    ['no XML', () => ({ tampered: () => 'hello' })],
    ['bytes that aren’t text', () => ({ tampered: (xml) => xml.replace('<', '\u0000<') })],
    [
      'too many elements',
      () => ({ tampered: change('<samlp:Status>', `${'<a/>'.repeat(2_000)}<samlp:Status>`) }),
    ],
    [
      'too deep a tree',
      () => ({
        tampered: change('<saml:Subject>', `${'<a>'.repeat(900)}${'</a>'.repeat(900)}<saml:Subject>`),
      }),
    ],
  ])('by a response with %s, which uses the request up', async (_, responded) => {
    const { nameId, email } = newPerson();
    const { continueAt, cookie } = await asked();
    const answer = await post(visit(continueAt, { nameId, email, ...responded() }));
    expect(await come(answer, cookie)).toMatchObject(refused);
    expect(await come(answer, cookie)).toMatchObject(expired);
    expect(await userOf(email)).toBeUndefined();
  });

  test('refuses an address outside the provider’s domains, and a response without one', async () => {
    const person = newPerson();
    await through(person);
    for (const email of [
      'ruth@gmail.test',
      'ruth@evil-grace.test',
      'ruth@grace.test.evil.test',
      'not-an-address',
      'a@grace.test</saml:AttributeValue><saml:AttributeValue>b@grace.test',
      null,
    ])
      // Nor someone known, who left.
      for (const nameId of [newPerson().nameId, person.nameId])
        expect(await through({ nameId, email }), String(email)).toMatchObject({
          status: 403,
          body: { reason: 'provider_domain' },
          cookies: [],
        });
  });

  test('refuses a name that a comment cuts short', async () => {
    const victim = newPerson();
    await through(victim);
    const longer = { nameId: `${victim.nameId}.evil`, email: `${victim.email}.evil.test` };
    for (const cut of ['<!---->', '<!-- x -->', '<?x?>', '<?xml x?>', '<![CDATA[]]>'])
      for (const [from, to] of [
        [`>${longer.nameId}<`, `>${victim.nameId}${cut}.evil<`],
        [`>${longer.email}<`, `>${victim.email}${cut}.evil.test<`],
      ] as const)
        expect(await through({ ...longer, tampered: change(from, to) }), cut).toMatchObject(refused);
  });
});

/** Wraps a signed assertion or response so that one part is checked and another read (Somorovsky et al., 2012). */
describe('a signature', () => {
  const end = '</samlp:Response>';
  const id = / ID="_a\d+"/;
  const parts = (xml: string, victim: string) => {
    const [assertion] = /<saml:Assertion.*<\/saml:Assertion>/.exec(xml)!;
    const [signature] = /<ds:Signature.*<\/ds:Signature>/.exec(assertion)!;
    const bare = assertion.replace(signature, '');
    const forged = bare.replace(/>uid-\d+</, `>${victim}<`);
    const evil = forged.replace(id, ' ID="_evil"');
    return { assertion, signature, bare, forged, evil };
  };
  const within = (outer: string, inner: string) =>
    outer.replace('</saml:Assertion>', `${inner}</saml:Assertion>`);
  /** After the issuer, where signatures are. */
  const withSignature = (assertion: string, signature: string) =>
    assertion.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
  const holding = (signature: string, held: string) =>
    signature.replace('</ds:Signature>', `<ds:Object>${held}</ds:Object></ds:Signature>`);

  test.each<[string, (xml: string, victim: string) => string]>([
    [
      'beside a forged assertion before it (XSW3)',
      (xml, victim) => {
        const { assertion, evil } = parts(xml, victim);
        return xml.replace(assertion, `${evil}${assertion}`);
      },
    ],
    [
      'beside a forged assertion after it',
      (xml, victim) => {
        const { assertion, evil } = parts(xml, victim);
        return xml.replace(assertion, `${assertion}${evil}`);
      },
    ],
    [
      'within a forged assertion (XSW4)',
      (xml, victim) => {
        const { assertion, evil } = parts(xml, victim);
        return xml.replace(assertion, within(evil, assertion));
      },
    ],
    [
      'moved to a forged assertion, with the original at the end (XSW5)',
      (xml, victim) => {
        const { assertion, signature, bare, evil } = parts(xml, victim);
        return xml.replace(assertion, withSignature(evil, signature)).replace(end, `${bare}${end}`);
      },
    ],
    [
      'moved to a forged assertion, with the original in it (XSW6)',
      (xml, victim) => {
        const { assertion, signature, bare, evil } = parts(xml, victim);
        const holder = signature.replace('</ds:Signature>', `${bare}</ds:Signature>`);
        return xml.replace(assertion, withSignature(evil, holder));
      },
    ],
    [
      'of an original among extensions',
      (xml, victim) => {
        const { assertion, evil } = parts(xml, victim);
        return xml.replace(assertion, `<samlp:Extensions>${assertion}</samlp:Extensions>${evil}`);
      },
    ],
    [
      'that holds the original as its object (XSW8)',
      (xml, victim) => {
        const { assertion, signature, bare, evil } = parts(xml, victim);
        return xml.replace(assertion, withSignature(evil, holding(signature, bare)));
      },
    ],
    [
      'of an id that a forged assertion has, too',
      (xml, victim) => {
        const { assertion, forged } = parts(xml, victim);
        return xml.replace(assertion, `${forged}${assertion}`);
      },
    ],
    [
      'of an id that the forged assertion around it has, too',
      (xml, victim) => {
        const { assertion, signature, bare, forged } = parts(xml, victim);
        return xml.replace(assertion, withSignature(forged, holding(signature, bare)));
      },
    ],
    [
      'of an id that is written differently',
      (xml, victim) => {
        const { assertion, signature, bare, forged } = parts(xml, victim);
        const lower = bare.replace(' ID=', ' Id=');
        return xml.replace(assertion, withSignature(forged, holding(signature, lower)));
      },
    ],
    [
      'of the whole document, without an id',
      (xml, victim) => {
        const { assertion, signature, evil } = parts(xml, victim);
        const whole = signature.replace(/URI="[^"]*"/, 'URI=""');
        return xml.replace(assertion, withSignature(evil, whole));
      },
    ],
    [
      'whose signed part is listed twice',
      (xml, victim) => {
        const { assertion, signature, forged } = parts(xml, victim);
        const twice = signature.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/, '$&$&');
        return xml.replace(assertion, withSignature(forged, twice));
      },
    ],
    [
      'whose digest a comment hides',
      (xml, victim) => {
        const { assertion, signature, forged } = parts(xml, victim);
        const hidden = signature.replace('<ds:DigestValue>', '<ds:DigestValue><!--x-->');
        return xml.replace(assertion, withSignature(forged, hidden));
      },
    ],
  ])('%s proves no one else', async (_, wrapped) => {
    const victim = newPerson();
    await through(victim);
    expect(await through({ ...newPerson(), tampered: (xml) => wrapped(xml, victim.nameId) })).toMatchObject(
      refused,
    );
  });

  test('proves only the signed person, whatever is beside it (XSW7)', async () => {
    const [victim, person] = [newPerson(), newPerson()];
    await through(victim);
    const { cookie } = await through({
      ...person,
      tampered: (xml) => {
        const { assertion, evil } = parts(xml, victim.nameId);
        return xml.replace(assertion, `<samlp:Extensions>${evil}</samlp:Extensions>${assertion}`);
      },
    });
    const own = (await userOf(person.email))!;
    expect(await actorOf(production, cookie)).toMatchObject({ id: own.id });
  });

  const responseParts = (xml: string, victim: string) => {
    const [signature] = /<ds:Signature.*?<\/ds:Signature>/.exec(xml)!;
    const bare = xml.replace(signature, '');
    const evil = bare.replace(/ ID="_r\d+"/, ' ID="_evil"').replace(/>uid-\d+</, `>${victim}<`);
    return { signature, bare, evil };
  };
  test.each<[string, (xml: string, victim: string) => string]>([
    [
      'that holds the original response (XSW1)',
      (xml, victim) => {
        const { signature, bare, evil } = responseParts(xml, victim);
        return evil.replace('</saml:Issuer>', `</saml:Issuer>${holding(signature, bare)}`);
      },
    ],
    [
      'beside the original response (XSW2)',
      (xml, victim) => {
        const { signature, bare, evil } = responseParts(xml, victim);
        return evil.replace('</saml:Issuer>', `</saml:Issuer>${bare}${signature}`);
      },
    ],
  ])('of a response %s proves no one else', async (_, wrapped) => {
    const victim = newPerson();
    await through(victim);
    for (const signed of [['response'], ['assertion', 'response']] as const)
      expect(
        await through({ ...newPerson(), signed, tampered: (xml) => wrapped(xml, victim.nameId) }),
      ).toMatchObject(refused);
  });
});

async function withPassword() {
  const { nameId, email } = newPerson();
  const { id, cookie } = await verified(email);
  return { id, email, nameId, person: (await actorOf(production, cookie)) as Person };
}

async function withIdentity() {
  const responded = newPerson();
  const { cookie } = await through(responded);
  const { id } = (await userOf(responded.email))!;
  return { id, responded, person: (await actorOf(production, cookie)) as Person };
}

describe('an account', () => {
  const theirs = 'the-stranger-knows-it-1';

  test('is never linked by its address, whoever came first', async () => {
    const { id, email, nameId } = await withPassword();
    expect(await through({ nameId, email })).toMatchObject(exists);
    expect(await db.selectFrom('linked_identities').selectAll().where('user_id', '=', id).execute()).toEqual(
      [],
    );
    // A stranger's sign-up waits for its confirmation: it never gets its password onto the account.
    const person = newPerson();
    const stranger = await signUp(production, person.email, { name: 'A Stranger', password: theirs });
    expect((await through(person)).body).toMatchObject({ signedIn: true, isNew: true });
    expect(await userOf(person.email)).toMatchObject({ name: 'Ruth Amsel' });
    const tried = await signIn(production, person.email, theirs, { cookie: stranger.cookie });
    expect(tried.body).not.toMatchObject({ signedIn: true });
    const followed = await send(production, '/verify-email', { token: await linkOf(person.email) });
    expect(followed.body).toMatchObject({ signedIn: false, resetToken: expect.any(String) as string });
  });

  test('of an administrator isn’t made here', async () => {
    const { production: own, send: sendTo } = identitiesOf(database, {
      samlProviders: [{ ...clinic.config, domains: ['italk.test'] }],
    });
    const begun = await sendTo(own, '/request-provider', { provider: 'clinic' });
    const form = visit(begun.body.continueAt as string, { email: 'chief@italk.test' });
    const posted = { id: 'clinic', form: new URLSearchParams(form).toString() };
    const { headers } = await own.receiveSaml(posted, { address: null, requestId: 'x' });
    const answer = new URL(headers.get('location')!).search;
    const input = { provider: 'clinic', answer };
    expect(await sendTo(own, '/sign-in/provider', input, { cookie: begun.cookie })).toMatchObject({
      status: 403,
      body: { reason: 'provider_password_first' },
    });
  });

  test('refuses suspended and held accounts', async () => {
    const suspended = await withIdentity();
    const at = new Date(noon);
    await db.updateTable('profiles').set({ suspended_at: at }).where('id', '=', suspended.id).execute();
    expect(await through(suspended.responded)).toMatchObject({
      status: 403,
      body: { reason: 'account_suspended' },
      cookies: [],
    });
    const held = await withIdentity();
    await transact(system, (tx) => changeAddress(tx, { userId: held.id, to: `${held.id}@new.test` }));
    expect((await through(held.responded)).body).toMatchObject({ reason: 'address_held' });
  });

  test('connects in its settings, then still asks for its second factor', async () => {
    const offered = signInProviders({
      openIdProviders: [],
      samlProviders,
      appUrl: 'https://italk.test',
      walletSignIn: false,
      authSecret: 'x'.repeat(40),
    });
    const shown = ({ secret }: { secret: string }) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: guest.now().epochMilliseconds });
    const { nameId, email, person } = await withPassword();
    const fresh = await freshSession(db, person);
    const own = as(fresh);
    const { continueAt } = await beginIdentity(own, offered, { provider: 'clinic' });
    const answer = await post(visit(continueAt, { nameId, email }));
    expect(answer).toMatch(/^\?state=connect\./);
    // Another session can't take it, nor can it sign in.
    const other = as(await freshSession(db, (await withPassword()).person));
    const input = { provider: 'clinic', answer };
    await expect(connectIdentity(other, offered, input)).rejects.toMatchObject({
      reason: 'provider_expired',
    });
    expect(await come(answer, '')).toMatchObject(expired);
    const views = await connectIdentity(own, offered, input);
    expect(views).toMatchObject([{ label: 'Grace Clinic', provider: 'clinic', email }]);
    await expect(connectIdentity(own, offered, input)).rejects.toMatchObject({ reason: 'provider_expired' });

    await turnOnSecondFactors();
    const setUp = await beginSecondFactor(own, { password });
    await confirmSecondFactor(own, { code: shown(setUp) });
    setNow('2026-03-02T12:01:00Z');
    const back = await asked();
    const returned = await post(visit(back.continueAt, { nameId, email }));
    const first = await come(returned, back.cookie);
    expect(first).toMatchObject({ status: 200, body: { signedIn: false, secondStep: { setUp: null } } });
    expect(first.cookies.join()).not.toContain('session_token');
    expect(await come(returned, '', { code: shown(setUp) })).toMatchObject(expired);
    expect((await come(returned, back.cookie, { code: '000000' })).status).toBe(400);
    expect((await come(returned, back.cookie, { code: shown(setUp) })).body).toMatchObject({
      signedIn: true,
    });

    // A provider without a web address is named in full once it's gone.
    const gone = { providers: [] };
    expect(await ownIdentities(own, gone)).toMatchObject([{ label: 'id.grace.test', provider: null }]);
    expect(await removeIdentity(own, offered, { id: views[0]!.id })).toEqual([]);
    expect(await through({ nameId, email })).toMatchObject(exists);
  });

  test('disconnects the provider when the account is recovered by email', async () => {
    const { id, responded } = await withIdentity();
    const token = await makeLinkToken(guest, 'reset-password', id);
    await send(production, '/reset-password', { token, newPassword: 'a-third-room-44' });
    expect(await through(responded)).toMatchObject(exists);
    expect(await entries('identity_disconnected', id)).toMatchObject([{ details: { identities: 1 } }]);
  });
});
