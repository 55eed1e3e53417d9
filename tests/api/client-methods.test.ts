import { readFileSync } from 'node:fs';
import { AuthClient } from '@supabase/auth-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoPassword } from '#/features/accounts/demo.ts';
import { newId } from '#/platform/clock.ts';
import { addAdministrator } from '../support/people.ts';
import { programPassword, programsOf } from '../support/programs.ts';
import { testServer } from '../support/server.ts';

const server = await testServer({ config: { mode: 'production' } });
const { somebody, client, administrationBy, storage, realtime, signIn } = programsOf(server);

const auth = new AuthClient({
  url: `http://127.0.0.1:${server.port}/auth/v1`,
  autoRefreshToken: false,
  detectSessionInUrl: false,
  experimental: { recoveryCodes: true },
});
let admin = administrationBy('');
let files = storage('');
let email = '';
beforeAll(async () => {
  const person = await addAdministrator(server.database.db);
  await server.signIn(person);
  const { email: address } = await server.database.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow();
  const { access_token: token } = await signIn(address, demoPassword);
  admin = administrationBy(token);
  files = storage(token);
  ({ email } = await somebody());
  await auth.signInWithPassword({ email, password: programPassword });
});

const line = realtime();
const vectors = files.vectors.from('a');
const catalog = files.analytics.from('abc');

/** Everything of the three published clients that has methods. */
const parts: Readonly<Record<string, object>> = {
  auth,
  'auth.mfa': auth.mfa,
  'auth.mfa.webauthn': auth.mfa.webauthn,
  'auth.mfa.recoveryCodes': auth.mfa.recoveryCodes,
  'auth.passkey': auth.passkey,
  'auth.oauth': auth.oauth,
  'auth.admin': admin,
  'auth.admin.mfa': admin.mfa,
  'auth.admin.oauth': admin.oauth,
  'auth.admin.customProviders': admin.customProviders,
  'auth.admin.passkey': admin.passkey,
  storage: files,
  'storage.from': files.from('documents'),
  'storage.vectors': files.vectors,
  'storage.vectors.from': vectors,
  'storage.vectors.from.index': vectors.index('i'),
  'storage.analytics': files.analytics,
  'storage.analytics.from': catalog,
  realtime: line,
  'realtime.channel': line.channel('me'),
};

const here = 'client-methods.test.ts';
const account = 'program-client.test.ts';
const returns = 'program-returns.test.ts';
const identities = 'program-identities.test.ts';
const administration = 'program-administration.test.ts';
const buckets = 'storage-client.test.ts';
const channels = 'realtime-client.test.ts';

/** Methods that work, and the test that shows it. */
const works: readonly (readonly [part: string, methods: string, file: string, title: string])[] = [
  ['auth', 'signUp resend', account, 'signs up, and signs in once the address is confirmed'],
  [
    'auth',
    'signInWithPassword getUser refreshSession getClaims onAuthStateChange signOut',
    account,
    'signs in with a password, reads, refreshes and verifies its tokens, and signs out',
  ],
  ['auth', 'updateUser', account, 'changes name and password'],
  ['auth', 'reauthenticate', account, 'sets a new password with the code that reauthentication emails'],
  ['auth', 'signInWithOtp verifyOtp', account, 'signs in with an emailed code'],
  ['auth', 'resetPasswordForEmail', account, 'asks for a new password by emailed link'],
  ['auth', 'getSession', account, 'refreshes a session that is asked for within 90 seconds of its end'],
  [
    'auth',
    'startAutoRefresh stopAutoRefresh',
    account,
    'checks every 30 seconds whether to refresh, and retries from 200 ms on',
  ],
  [
    'auth',
    'linkIdentity getUserIdentities unlinkIdentity exchangeCodeForSession signInWithOAuth',
    identities,
    'connects an identity, lists it, signs in with it, and disconnects it',
  ],
  ['auth', 'signInWithIdToken', returns, 'signs the published client in, or up'],
  ['auth', 'signInWithSSO', 'sso.test.ts', 'signs in with %j'],
  [
    'auth',
    'signInWithWeb3',
    'program-wallets.test.ts',
    'signs in with a connected wallet, lists it, and disconnects it',
  ],
  ['auth', 'initialize setSession dispose', here, 'takes over a session, and ends it'],
  [
    'auth.mfa',
    'enroll challenge verify challengeAndVerify unenroll listFactors getAuthenticatorAssuranceLevel',
    account,
    'sets up a second factor, signs in with it and removes it',
  ],
  [
    'auth.admin',
    'listUsers',
    administration,
    'lists users by page, newest first, with their number and the pages around',
  ],
  ['auth.admin', 'getUserById', administration, 'shows what their page shows, and logs it'],
  ['auth.admin', 'updateUserById', administration, 'changes a role only to what the account can have'],
  ['auth.admin', 'deleteUser', administration, 'deletes an account, which ends at once'],
  [
    'auth.admin',
    'signOut',
    administration,
    'signs a person out by their own token, as the published client does',
  ],
  [
    'auth.admin.mfa',
    'listFactors deleteFactor',
    administration,
    'resets a lost second factor, by its own id alone',
  ],
  [
    'storage',
    'createBucket getBucket listBuckets updateBucket emptyBucket deleteBucket from',
    buckets,
    'lets administrators manage buckets, and nobody else',
  ],
  [
    'storage.from',
    'upload download update info exists remove',
    buckets,
    'uploads, describes, reads, updates and removes a file, with each step logged',
  ],
  ['storage.from', 'copy move', buckets, 'moves and copies, but never onto another file'],
  ['storage.from', 'list', buckets, 'lists 100 files from 0 by name, and finds them'],
  [
    'storage.from',
    'createSignedUrl createSignedUrls',
    buckets,
    'signs links that open without a token until they expire',
  ],
  ['storage.from', 'getPublicUrl', buckets, 'gives public URLs by id, which open in public buckets alone'],
  [
    'realtime',
    'channel setAuth disconnect',
    channels,
    'receives its person’s notices as ids, with version %s',
  ],
  ['realtime', 'removeChannel', channels, 'gets a closed code for what it can’t join'],
  ['realtime', 'isConnected', channels, 'connects and joins again after a cut line'],
  [
    'realtime',
    'connect connectionState isConnecting isDisconnecting getChannels removeAllChannels sendHeartbeat onHeartbeat',
    here,
    'opens a line, beats, and leaves all channels',
  ],
  ['realtime.channel', 'on subscribe unsubscribe', channels, 'leaves and joins again, with version %s'],
  ['realtime.channel', 'send', channels, 'shows typing to the other person alone, with version %s'],
  ['realtime.channel', 'httpSend', channels, 'broadcasts without a socket'],
  [
    'realtime.channel',
    'track untrack presenceState',
    channels,
    'enters and leaves a room, and shows who is there',
  ],
];

/** Methods that call nothing by themselves, need a browser, or are private in the client's types. */
const local: Readonly<Record<string, string>> = {
  auth: 'fetch fetchJwk isThrowOnErrorEnabled linkIdentityIdToken linkIdentityOAuth logger registerPasskey signInWithEthereum signInWithPasskey signInWithSolana',
  'auth.mfa.webauthn': 'authenticate register',
  'auth.admin': 'fetch',
  storage: 'bucketLifecycleUrl fetch handleOperation listBucketOptionsToQueryString setHeader throwOnError',
  'storage.from':
    'applyTransformOptsToQuery encodeMetadata fetch handleOperation prepareUploadFormData setHeader throwOnError toBase64 uploadOrUpdate',
  'storage.vectors': 'fetch from handleOperation setHeader throwOnError',
  'storage.vectors.from': 'fetch handleOperation index setHeader throwOnError',
  'storage.vectors.from.index': 'fetch handleOperation setHeader throwOnError',
  'storage.analytics': 'fetch from handleOperation setHeader throwOnError',
  realtime: 'endpointURL fetch hasLogger log push',
  'realtime.channel': 'copyBindings teardown updateJoinPayload',
};

type Call = () => PromiseLike<{ error: unknown }>;
const missing = { status: 404, code: 'not_found' };
const noRoute = { status: 404, code: 'NoSuchRoute' };
const unsupported = { status: 400, code: 'NotSupported' };
const signUpOff = { status: 422, code: 'signup_disabled' };
const invalid = { status: 400, code: 'validation_failed' };
const id = newId();
const bytes = new ArrayBuffer(1);
const assertion = {
  id: 'a',
  rawId: bytes,
  type: 'public-key',
  response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null },
  getClientExtensionResults: () => ({}),
};
const webauthn = { rpId: 'localhost', type: 'request', credential_response: assertion } as never;
const credential = {} as never;
const index = { indexName: 'i', dataType: 'float32', dimension: 2, distanceMetric: 'cosine' } as const;
const found = { key: 'k', data: { float32: [1, 2] } };
const named = { identifier: 'custom:a', name: 'A', client_id: 'a', client_secret: 'b' };
const at = () => files.from('documents');
const vectorsOf = () => files.vectors.from('a');
const atIndex = () => vectorsOf().index('i');

/** Methods that are refused, whoever calls. */
const refused: readonly (readonly [part: string, method: string, answer: object, call: Call])[] = [
  [
    'auth',
    'signInAnonymously',
    { status: 422, code: 'anonymous_provider_disabled' },
    () => auth.signInAnonymously(),
  ],
  ['auth.mfa.webauthn', 'enroll', invalid, () => auth.mfa.webauthn.enroll({ friendlyName: 'a' })],
  [
    'auth.mfa.webauthn',
    'challenge',
    { status: 404, code: 'mfa_factor_not_found' },
    () => auth.mfa.webauthn.challenge({ factorId: id, webauthn }),
  ],
  [
    'auth.mfa.webauthn',
    'verify',
    invalid,
    () => auth.mfa.webauthn.verify({ factorId: id, challengeId: id, webauthn }),
  ],
  ['auth.mfa.recoveryCodes', 'getStatus', missing, () => auth.mfa.recoveryCodes.getStatus()],
  ['auth.mfa.recoveryCodes', 'generate', missing, () => auth.mfa.recoveryCodes.generate()],
  ['auth.mfa.recoveryCodes', 'regenerate', missing, () => auth.mfa.recoveryCodes.regenerate()],
  ['auth.mfa.recoveryCodes', 'verify', missing, () => auth.mfa.recoveryCodes.verify({ code: 'AAAA-BBBB' })],
  ['auth.mfa.recoveryCodes', 'unenroll', missing, () => auth.mfa.recoveryCodes.unenroll()],
  ['auth.passkey', 'startRegistration', missing, () => auth.passkey.startRegistration()],
  [
    'auth.passkey',
    'verifyRegistration',
    missing,
    () => auth.passkey.verifyRegistration({ challengeId: id, credential }),
  ],
  ['auth.passkey', 'startAuthentication', missing, () => auth.passkey.startAuthentication()],
  [
    'auth.passkey',
    'verifyAuthentication',
    missing,
    () => auth.passkey.verifyAuthentication({ challengeId: id, credential }),
  ],
  ['auth.passkey', 'list', missing, () => auth.passkey.list()],
  ['auth.passkey', 'update', missing, () => auth.passkey.update({ passkeyId: id, friendlyName: 'a' })],
  ['auth.passkey', 'delete', missing, () => auth.passkey.delete({ passkeyId: id })],
  ['auth.oauth', 'getAuthorizationDetails', missing, () => auth.oauth.getAuthorizationDetails(id)],
  ['auth.oauth', 'approveAuthorization', missing, () => auth.oauth.approveAuthorization(id)],
  ['auth.oauth', 'denyAuthorization', missing, () => auth.oauth.denyAuthorization(id)],
  ['auth.oauth', 'listGrants', missing, () => auth.oauth.listGrants()],
  ['auth.oauth', 'revokeGrant', missing, () => auth.oauth.revokeGrant({ clientId: id })],
  ['auth.admin', 'createUser', signUpOff, () => admin.createUser({ email: 'new@grace.test' })],
  ['auth.admin', 'inviteUserByEmail', signUpOff, () => admin.inviteUserByEmail('new@grace.test')],
  ['auth.admin', 'generateLink', signUpOff, () => admin.generateLink({ type: 'magiclink', email })],
  ['auth.admin.oauth', 'listClients', missing, () => admin.oauth.listClients()],
  [
    'auth.admin.oauth',
    'createClient',
    missing,
    () => admin.oauth.createClient({ client_name: 'a', redirect_uris: ['https://a.test'] }),
  ],
  ['auth.admin.oauth', 'getClient', missing, () => admin.oauth.getClient(id)],
  ['auth.admin.oauth', 'updateClient', missing, () => admin.oauth.updateClient(id, { client_name: 'b' })],
  ['auth.admin.oauth', 'deleteClient', missing, () => admin.oauth.deleteClient(id)],
  ['auth.admin.oauth', 'regenerateClientSecret', missing, () => admin.oauth.regenerateClientSecret(id)],
  ['auth.admin.customProviders', 'listProviders', missing, () => admin.customProviders.listProviders()],
  [
    'auth.admin.customProviders',
    'createProvider',
    missing,
    () => admin.customProviders.createProvider({ ...named, provider_type: 'oidc' }),
  ],
  ['auth.admin.customProviders', 'getProvider', missing, () => admin.customProviders.getProvider('custom:a')],
  [
    'auth.admin.customProviders',
    'updateProvider',
    missing,
    () => admin.customProviders.updateProvider('custom:a', { name: 'A' }),
  ],
  [
    'auth.admin.customProviders',
    'deleteProvider',
    missing,
    () => admin.customProviders.deleteProvider('custom:a'),
  ],
  ['auth.admin.passkey', 'listPasskeys', missing, () => admin.passkey.listPasskeys({ userId: id })],
  [
    'auth.admin.passkey',
    'deletePasskey',
    missing,
    () => admin.passkey.deletePasskey({ userId: id, passkeyId: id }),
  ],
  ['storage', 'getBucketLifecycle', noRoute, () => files.getBucketLifecycle('documents')],
  [
    'storage',
    'updateBucketLifecycle',
    noRoute,
    () => files.updateBucketLifecycle('documents', { rules: [] }),
  ],
  ['storage', 'deleteBucketLifecycle', noRoute, () => files.deleteBucketLifecycle('documents')],
  ['storage', 'purgeBucketCache', unsupported, () => files.purgeBucketCache('documents')],
  ['storage.from', 'listV2', unsupported, () => at().listV2()],
  ['storage.from', 'purgeCache', unsupported, () => at().purgeCache('a.png')],
  ['storage.from', 'createSignedUploadUrl', unsupported, () => at().createSignedUploadUrl('a.png')],
  ['storage.from', 'uploadToSignedUrl', unsupported, () => at().uploadToSignedUrl('a.png', 'x', 'text')],
  ['storage.vectors', 'createBucket', noRoute, () => files.vectors.createBucket('a')],
  ['storage.vectors', 'getBucket', noRoute, () => files.vectors.getBucket('a')],
  ['storage.vectors', 'listBuckets', noRoute, () => files.vectors.listBuckets()],
  ['storage.vectors', 'deleteBucket', noRoute, () => files.vectors.deleteBucket('a')],
  ['storage.vectors.from', 'createIndex', noRoute, () => vectorsOf().createIndex(index)],
  ['storage.vectors.from', 'getIndex', noRoute, () => vectorsOf().getIndex('i')],
  ['storage.vectors.from', 'listIndexes', noRoute, () => vectorsOf().listIndexes()],
  ['storage.vectors.from', 'deleteIndex', noRoute, () => vectorsOf().deleteIndex('i')],
  ['storage.vectors.from.index', 'putVectors', noRoute, () => atIndex().putVectors({ vectors: [found] })],
  ['storage.vectors.from.index', 'getVectors', noRoute, () => atIndex().getVectors({ keys: ['k'] })],
  ['storage.vectors.from.index', 'listVectors', noRoute, () => atIndex().listVectors()],
  [
    'storage.vectors.from.index',
    'queryVectors',
    noRoute,
    () => atIndex().queryVectors({ queryVector: found.data, topK: 1 }),
  ],
  ['storage.vectors.from.index', 'deleteVectors', noRoute, () => atIndex().deleteVectors({ keys: ['k'] })],
  ['storage.analytics', 'createBucket', noRoute, () => files.analytics.createBucket('abc')],
  ['storage.analytics', 'listBuckets', noRoute, () => files.analytics.listBuckets()],
  ['storage.analytics', 'deleteBucket', noRoute, () => files.analytics.deleteBucket('abc')],
];

/** Of Apache Iceberg, whose client knows no code of ours. */
const catalogMethods =
  'createNamespace createNamespaceIfNotExists createTable createTableIfNotExists dropNamespace dropTable listNamespaces listTables loadNamespaceMetadata loadTable updateTable namespaceExists tableExists';

function methodsOf(part: object): string[] {
  const names = new Set<string>();
  for (let one = part; one !== Object.prototype; one = Object.getPrototypeOf(one) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (typeof value === 'function' && !/^(_|constructor$)/.test(name)) names.add(name);
  return [...names].toSorted();
}

describe('of the published clients', () => {
  test.each(Object.entries(parts))('every method is decided: %s', (name, part) => {
    const decided = [
      ...works.flatMap(([of, methods]) => (of === name ? methods.split(' ') : [])),
      ...refused.flatMap(([of, method]) => (of === name ? [method] : [])),
      ...(local[name]?.split(' ') ?? []),
      ...(name === 'storage.analytics.from' ? catalogMethods.split(' ') : []),
    ];
    expect(methodsOf(part)).toEqual(decided.toSorted());
  });

  test('every part with methods is known', () => {
    const inner = (name: string, part: object) =>
      Object.entries(part)
        .filter(([, value]) => Object.getPrototypeOf(value ?? 0) === Object.prototype)
        .filter(([, value]) => methodsOf(value as object).length > 0)
        .map(([key]) => `${name}.${key}`);
    const ofAuth = ['auth', 'auth.mfa', 'auth.admin'].flatMap((name) => inner(name, parts[name]!));
    expect(ofAuth.filter((name) => name !== 'auth.storage' && !(name in parts))).toEqual([]);
    const getters = Object.entries(
      Object.getOwnPropertyDescriptors(Object.getPrototypeOf(files) as object),
    ).flatMap(([key, { get }]) => (get ? [`storage.${key}`] : []));
    expect(getters.filter((name) => !(name in parts))).toEqual([]);
  });

  test.each(works)('%s: %s works, as a test shows', (_, methods, file, title) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect(source).toContain(`'${title}'`);
    const uncalled = methods.split(' ').filter((one) => !new RegExp(`\\.${one}[(<]`).test(source));
    expect(uncalled).toEqual([]);
  });

  test.each(refused)('%s.%s is refused with a closed code, in words', async (_, __, answer, call) => {
    const { error } = await call();
    expect(error).toMatchObject({ ...answer, message: expect.stringMatching(/^[A-Z][^{<]*[.)]$/) as string });
  });

  test.each(catalogMethods.split(' '))('storage.analytics.from finds nothing: %s', async (method) => {
    const run = catalog[method as 'loadTable'].bind(files.analytics.from('abc'));
    const { data, error } = await run({ namespace: ['a'], name: 'b' });
    expect(error ?? data).toSatisfy(
      (answer) => answer === false || (answer as { status: number }).status === 404,
    );
  });

  test('takes over a session, and ends it', async () => {
    const { access_token, refresh_token } = await signIn(email);
    const other = client();
    expect(await other.initialize()).toEqual({ error: null });
    const { data, error } = await other.setSession({ access_token, refresh_token });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email });
    const wrong = await client().setSession({ access_token: 'x', refresh_token });
    expect(wrong.error).toMatchObject({ name: 'AuthInvalidJwtError' });
    expect((await other.signOut()).error).toBeNull();
    await other.dispose();
  });

  test('opens a line, beats, and leaves all channels', async () => {
    const { access_token: token } = await signIn(email);
    const one = realtime({ accessToken: () => Promise.resolve(token) });
    const beats: string[] = [];
    one.onHeartbeat((status) => beats.push(status));
    expect([one.connectionState(), one.isDisconnecting()]).toEqual(['closed', false]);
    one.connect();
    expect([one.connectionState(), one.isConnecting()]).toEqual(['connecting', true]);
    await expect.poll(() => one.connectionState()).toBe('open');
    await one.setAuth();
    const statuses: string[] = [];
    one.channel('me').subscribe((status) => statuses.push(status));
    await expect.poll(() => statuses).toEqual(['SUBSCRIBED']);
    expect(one.getChannels().map(({ topic }) => topic)).toEqual(['realtime:me']);
    await one.sendHeartbeat();
    await expect.poll(() => beats).toEqual(expect.arrayContaining(['sent', 'ok']));
    expect(await one.removeAllChannels()).toEqual(['ok']);
    expect(one.getChannels()).toEqual([]);
    await one.disconnect();
    expect(one.isConnected()).toBe(false);
  });
});
