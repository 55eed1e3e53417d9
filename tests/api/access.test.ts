import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '#/features/access/contract.ts';
import type { Problem } from '#/kernel/problem.ts';
import { identityInputs } from '#/features/accounts/identity/contract.ts';
import { newId } from '#/platform/clock.ts';
import { proving, sampleOf } from '../support/prove.ts';
import { acceptedInputs, procedures, requestOf, type Procedure } from '../support/procedures.ts';
import {
  castOf,
  problemIn,
  storedIn,
  testServer,
  type Answer,
  type Cast,
  type Visitor,
} from '../support/server.ts';

/** Client spec, section 6, copied for the capabilities procedures require. */
const specification: Readonly<Record<Asker, readonly string[]>> = {
  guest: [],
  client: [
    'book_appointments',
    'send_messages',
    'view_own_appointments',
    'manage_own_profile',
    'view_content',
  ],
  provider: [
    'manage_own_appointments',
    'manage_own_availability',
    'send_messages',
    'view_own_clients',
    'manage_own_profile',
    'create_content',
    'view_own_analytics',
    // Missing from the spec's table: everyone may view content.
    'view_content',
  ],
  admin: [
    'manage_users',
    'manage_providers',
    'manage_services',
    'manage_settings',
    'view_analytics',
    'manage_roles',
    'access_admin_panel',
    'moderate_content',
    'manage_appointments',
    'send_messages',
    'view_all_data',
    // Missing from the spec's table: everyone has a profile and views content; administrators also write it.
    'manage_own_profile',
    'view_content',
    'create_content',
  ],
};

type Asker = 'guest' | 'client' | 'provider' | 'admin';

/** Expected refusal for an asker, or null: from the procedure's declaration and the spec's capabilities. */
function refusalOf(asker: Asker, { access }: Procedure): 'unauthenticated' | 'forbidden' | null {
  if (access === 'public') return null;
  if (asker === 'guest') return 'unauthenticated';
  if (access === 'signed_in') return null;
  return isFor(asker, access) ? null : 'forbidden';
}

const isFor = (asker: Asker, access: Access) =>
  typeof access !== 'string' && access.some((capability) => specification[asker].includes(capability));

const server = await testServer({ config: { walletSignIn: true } });
let cast: Cast;
let askers: readonly [who: string, as: Asker, visitor: Visitor][];
let accepted: ReturnType<typeof acceptedInputs>;
/** Database contents after the last check. */
let stored: Record<string, string>;

beforeAll(async () => {
  cast = await castOf(server);
  accepted = acceptedInputs(cast);
  askers = [
    ['a guest', 'guest', server.guest],
    ['a client', 'client', cast.client],
    ['another client', 'client', cast.otherClient],
    ['a provider', 'provider', cast.provider],
    ['another provider', 'provider', cast.otherProvider],
    ['an administrator', 'admin', cast.admin],
  ];
  stored = await storedIn(server.database);
});

async function expectNothingStored(): Promise<void> {
  expect(await storedIn(server.database)).toEqual(stored);
}

describe('every procedure', () => {
  const namesOf = (some: readonly Procedure[]) => some.map(({ name }) => name);

  test('declares its access', () => {
    expect(namesOf(procedures.filter(({ access }) => access === 'undeclared'))).toEqual([]);
    // Every required capability belongs to at least one role.
    const lists = procedures.filter(({ access }) => typeof access !== 'string');
    const served: Asker[] = ['client', 'provider', 'admin'];
    expect(namesOf(lists.filter(({ access }) => !served.some((asker) => isFor(asker, access))))).toEqual([]);
  });

  test('under /admin/ is limited to administrators', () => {
    // `administration.portal` also answers guests.
    const administration = procedures.filter(
      ({ name, path }) => path.startsWith('/admin/') && name !== 'administration.portal',
    );
    expect(administration.length).toBeGreaterThan(40);
    const wrong = administration.filter(
      ({ access }) => !isFor('admin', access) || isFor('client', access) || isFor('provider', access),
    );
    expect(namesOf(wrong)).toEqual([]);
  });

  test('open to guests for changes takes a link token or contact details', () => {
    const open = procedures.filter(({ access, method }) => access === 'public' && method !== 'GET');
    const wrong = open.filter(({ input }) => !input || !('token' in input.shape || 'contact' in input.shape));
    expect(namesOf(wrong)).toEqual([]);
  });
});

describe.each(procedures.map((procedure) => [procedure.name, procedure] as const))('%s', (_, procedure) => {
  test('answers each role by the spec before validating the input', async () => {
    const roles = proving ? askers : askers.filter(([who]) => !who.startsWith('another'));
    const [askedTwice] = sampleOf(roles, 1);
    for (const one of roles) {
      const [who, asker, visitor] = one;
      const refusal = refusalOf(asker, procedure);
      const answers: Answer[] = [];
      for (const [method, path, sent] of sampleOf(garbageFor(procedure), one === askedTwice ? 2 : 1)) {
        answers.push(await visitor.send(method, path, sent));
      }
      const expected = answers.map(() => refusal && { code: refusal, fields: [] });
      expect(answers.map(refusalIn), who).toMatchObject(expected);
      // The refusal is identical for any input.
      expect(new Set(answers.map((answer) => JSON.stringify(refusalIn(answer)))).size, who).toBe(1);
      expect(
        answers.filter(({ status }) => status >= 500),
        who,
      ).toEqual([]);
    }
    if (proving) await expectNothingStored();
  });
});

test('stores nothing from any of these requests', expectNothingStored);

/** Refusal without its request id; null for any other answer. */
function refusalIn(answer: Answer): Omit<Problem, 'requestId'> | null {
  if (answer.status !== 401 && answer.status !== 403) return null;
  const { requestId: _id, ...rest } = problemIn(answer);
  return rest;
}

/** Requests that every procedure with input rejects. */
function garbageFor(procedure: Procedure): ReturnType<typeof requestOf>[] {
  const path = (input: string) => `/api${procedure.path.replace(/\{\w+\}/g, input)}`;
  if (procedure.method === 'GET') {
    return [
      ['GET', path('x'), {}],
      ['GET', `${path('%00')}?from=never&durationMinutes=-1&timeZone=%F0%9F%99%82&limit=all`, {}],
    ];
  }
  return [
    ['POST', path('x'), { body: { contact: 7, timeZone: [], keepDiscreet: 'maybe' } }],
    ['POST', path('x'), { body: '{"timeZone": ' }],
    ['POST', path('x'), { body: '[]' }],
    ['POST', path('x'), { body: 'timeZone=UTC', headers: { 'content-type': 'text/plain' } }],
  ];
}

describe('an appointment', () => {
  const named = procedures.filter(
    ({ input, access }) =>
      input &&
      ('appointmentId' in input.shape || 'moving' in input.shape) &&
      // Administrators may access every appointment.
      !(typeof access !== 'string' && access.includes('manage_appointments')),
  );

  test('is an input of procedures across several features', () => {
    expect(named.length).toBeGreaterThan(20);
  });

  test.each(named.map((procedure) => [procedure.name, procedure] as const))(
    '%s returns not_found to everyone but its two parties, as if missing',
    async (name, procedure) => {
      const input = accepted[name]!;
      const missing = newId();
      const elsewhere =
        'moving' in input ? { ...input, moving: missing } : { ...input, appointmentId: missing };
      const strangers = askers.filter(([, , visitor]) => ![cast.client, cast.provider].includes(visitor));
      for (const [who, asker, visitor] of strangers) {
        // Guests get `unauthenticated` before any appointment lookup.
        const refusal = refusalOf(asker, procedure) ?? (asker === 'guest' ? 'unauthenticated' : 'not_found');
        const foreign = problemIn(await visitor.send(...requestOf(procedure, input)));
        const absent = problemIn(await visitor.send(...requestOf(procedure, elsewhere)));
        expect(foreign.code, who).toBe(refusal);
        expect({ ...foreign, requestId: '' }, who).toEqual({ ...absent, requestId: '' });
      }
      if (proving) await expectNothingStored();
    },
  );

  test('isn’t changed by any of these requests', expectNothingStored);

  test('is found by its two parties, and listed only for them', async () => {
    const get = procedures.find(({ name }) => name === 'appointments.get')!;
    const mine = procedures.find(({ name }) => name === 'appointments.mine')!;
    const all = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    for (const [, asker, visitor] of askers) {
      if (refusalOf(asker, mine)) continue;
      const party = visitor === cast.client || visitor === cast.provider;
      expect((await visitor.send(...requestOf(get, accepted['appointments.get']!))).status).toBe(
        party ? 200 : 404,
      );
      const { json } = await visitor.send(...requestOf(mine, all));
      expect((json as { id: string }[]).map(({ id }) => id)).toEqual(party ? [cast.appointmentId] : []);
    }
    const ofClient = (await cast.client.send('GET', `/api/appointments/${cast.appointmentId}`)).json;
    expect(ofClient).toMatchObject({ client: null });
  });

  test('can’t be swapped for another by an id in the body', async () => {
    const answer = await cast.otherClient.send('POST', `/api/appointments/${newId()}/cancel`, {
      body: { appointmentId: cast.appointmentId },
    });
    expect(problemIn(answer).code).toBe('not_found');
  });
});

describe('identity', () => {
  test('answers on its own paths, only as POST', async () => {
    const paths = Object.keys(identityInputs);
    expect(paths.toSorted()).toEqual([
      '/change-password',
      '/check-reset-link',
      '/request-passkey',
      '/request-password-reset',
      '/request-provider',
      '/request-sign-in-code',
      '/request-sign-in-link',
      '/request-texted-code',
      '/request-wallet',
      '/reset-password',
      '/return-to-program',
      '/send-verification-email',
      '/sign-in/code',
      '/sign-in/email',
      '/sign-in/link',
      '/sign-in/passkey',
      '/sign-in/provider',
      '/sign-in/wallet',
      '/sign-out',
      '/sign-up/email',
      '/unlock',
      '/verify-email',
    ]);
    for (const path of paths) {
      // Without input, only a non-object body is invalid.
      const body = path === '/sign-out' || path === '/request-passkey' ? [] : {};
      expect(problemIn(await server.guest.send('POST', `/api/auth${path}`, { body })).code).toBe('invalid');
    }
  });

  test('serves no other library endpoints or methods', async () => {
    const library = ['/get-session', '/list-sessions', '/update-user', '/change-email'];
    library.push('/delete-user', '/sign-in/social', '/ok', '/error', '/callback/google', '/admin/set-role');
    library.push('/admin/list-users', '/admin/impersonate-user', '/sign-up', '', '/', '/sign-in/email/');
    library.push('//sign-in/email', '/SIGN-IN/email', '/sign-in%2Femail', '/__proto__', '/%00');
    const served = [];
    expect((await server.guest.send('POST', '/api/auth/%', { body: {} })).status).toBe(400);
    for (const visitor of [server.guest, cast.client, cast.admin]) {
      for (const path of library) {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          const sent = method === 'GET' ? {} : { body: {} };
          const { status, headers } = await visitor.send(method, `/api/auth${path}`, sent);
          if (status !== 404 || headers['set-cookie']) served.push(`${method} ${path} ${status}`);
        }
      }
    }
    for (const path of Object.keys(identityInputs)) {
      const { status } = await cast.client.send('GET', `/api/auth${path}`);
      if (status !== 404) served.push(`GET ${path} ${status}`);
    }
    expect(served).toEqual([]);
    expect((await cast.client.send('GET', '/api/me')).json).toMatchObject({ role: 'client' });
  });
});

test.each([
  ['a cookie that nobody signed', 'italk.session_token=abc.def'],
  ['a cookie that cannot be decoded', 'italk.session_token=%E0%A4%A'],
  ['a signature without a token', 'italk.session_token=.'],
])('treats %s as a guest', async (_, cookie) => {
  const answer = await server.guest.send('GET', '/api/me', { headers: { cookie } });
  expect([answer.status, answer.json]).toEqual([200, null]);
});
