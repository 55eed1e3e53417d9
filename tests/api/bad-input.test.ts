import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import type { FieldProblem } from '#/kernel/errors.ts';
import { identityInputs } from '#/features/accounts/identity/contract.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import { acceptedInputs, procedures, requestOf, type Procedure } from '../support/procedures.ts';
import {
  booking,
  castOf,
  problemIn,
  storedIn,
  testServer,
  type Answer,
  type Cast,
  type Sent,
  type Visitor,
} from '../support/server.ts';
import { refusedByRules } from '../support/contract-cases.ts';
import { proving, sampleOf } from '../support/prove.ts';
import { hostileTo, objectIn } from '../support/wrong-inputs.ts';

const server = await testServer({ config: { walletSignIn: true } });
let cast: Cast;
let accepted: ReturnType<typeof acceptedInputs>;
let storedBefore: Record<string, string>;
beforeAll(async () => {
  cast = await castOf(server);
  accepted = acceptedInputs(cast);
  // Enables guest booking: disabled features refuse before validating input.
  await server.database.db.updateTable('site_settings').set({ allow_guest_booking: true }).execute();
  storedBefore = await storedIn(server.database);
});

async function expectNothingStored(): Promise<void> {
  expect(await storedIn(server.database)).toEqual(storedBefore);
}

type Input = Readonly<Record<string, unknown>>;

interface Field {
  /** Dotted path from the input's root. */
  field: string;
  type: z.ZodType;
  required: boolean;
  example: unknown;
}

/** Lists fields of a shape; nested optional ones only where the example includes them. */
function fieldsOf(shape: z.ZodObject, input: Input, trail = ''): Field[] {
  return Object.entries(shape.shape as Record<string, z.ZodType>).flatMap(([key, type]) => {
    const field = `${trail}${key}`;
    const [inner, example] = [objectIn(type), input[key]];
    const parts = inner && example ? fieldsOf(inner, example as Input, `${field}.`) : [];
    return [{ field, type, required: !type.safeParse(undefined).success, example }, ...parts];
  });
}

/** Replaces or removes one field of the input. */
function having(input: Input, field: string, value: unknown): Input {
  const [first, ...rest] = field.split('.');
  const inner = rest.length > 0 ? having(input[first!] as Input, rest.join('.'), value) : value;
  const { [first!]: _replaced, ...others } = input;
  return inner === undefined ? others : { ...others, [first!]: inner };
}

/** Expects `invalid`, naming this field. */
function expectRefused(answer: Answer, field: string, what: string): readonly FieldProblem[] {
  const { code, fields } = problemIn(answer);
  expect(code, `${what}: ${answer.text}`).toBe('invalid');
  expect(fields.length, what).toBeGreaterThan(0);
  for (const named of fields) {
    expect(`${named.field}.`.startsWith(`${field}.`), `${what} names ${named.field}`).toBe(true);
    expect(named.reason, what).toMatch(/^[a-z_]+$/);
  }
  return fields;
}

/** Returns a visitor allowed to call the procedure. */
function callerOf({ access }: Procedure): Visitor {
  const clients = ['book_appointments', 'view_own_appointments'];
  const open = typeof access === 'string' || access.some((one) => clients.includes(one));
  const administrators = [
    'access_admin_panel',
    'manage_settings',
    'manage_users',
    'manage_roles',
    'moderate_content',
    'manage_providers',
    'manage_services',
    'manage_appointments',
    'view_all_data',
    'view_analytics',
  ];
  if (!open && access.some((one) => administrators.includes(one))) return cast.admin;
  return open ? cast.client : cast.provider;
}

const withInput = procedures.flatMap((procedure) => (procedure.input ? [procedure] : []));
const short = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

describe.each(withInput.map((procedure) => [procedure.name, procedure] as const))('%s', (name, procedure) => {
  test('names the missing or invalid field', async () => {
    const input = accepted[name]!;
    const caller = callerOf(procedure);
    const fields = fieldsOf(procedure.input!, input);
    const inPath = (field: string) => procedure.path.includes(`{${field}}`);
    const missing: FieldProblem[] = [];
    for (const { field } of sampleOf(
      fields.filter(({ field: one, required }) => required && !inPath(one)),
      2,
    )) {
      const answer = await caller.send(...requestOf(procedure, having(input, field, undefined)));
      missing.push(...expectRefused(answer, field, `${field} left out`));
    }
    const hostile = fields.flatMap(({ field, type, example }) => {
      const { refused } = hostileTo(type, example, procedure.method === 'GET' || inPath(field));
      return (
        [...refused, ...(refusedByRules[name]?.[field] ?? [])]
          // An empty path segment would match another route.
          .filter((value) => !(inPath(field) && value === ''))
          .map((value) => ({ field, value }))
      );
    });
    for (const { field, value } of sampleOf(hostile, 3)) {
      const answer = await caller.send(...requestOf(procedure, having(input, field, value)));
      expectRefused(answer, field, `${field} as ${short(value)}`);
    }
    expect(missing.filter(({ reason }) => reason !== 'required')).toEqual([]);
    if (proving) await expectNothingStored();
  });
});

describe.each(Object.entries(identityInputs))('/api/auth%s', (path, shape) => {
  const example: Input = {
    name: 'Ruth Amsel',
    email: 'ruth@amsel.example',
    password: 'a-quiet-room-42',
    newPassword: 'a-quiet-room-42',
    next: '/home',
    token: 'x'.repeat(32),
    emailCode: '123456',
    provider: 'church',
    answer: '?state=x',
    address: `0x${'a1'.repeat(20)}`,
    message: 'x',
    signature: '0x',
    passkey: {
      id: 'AA',
      rawId: 'AA',
      type: 'public-key',
      response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
    },
  };

  test('names the missing or invalid field', async () => {
    const send = (body: unknown) => server.guest.send('POST', `/api/auth${path}`, { body });
    for (const { field, type, required, example: value } of fieldsOf(shape, example)) {
      if (required) expectRefused(await send(having(example, field, undefined)), field, `${field} left out`);
      for (const wrong of sampleOf(hostileTo(type, value).refused, 4)) {
        expectRefused(await send(having(example, field, wrong)), field, `${field} as ${short(wrong)}`);
      }
    }
    for (const body of ['', '{', 'null', '[]', '"x"', 'email=a@b.example']) {
      expect(problemIn(await send(body)).code, body).toBe('invalid');
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const sent = { body: example, headers: { 'content-type': type } };
      const answer = await server.guest.send('POST', `/api/auth${path}`, sent);
      expect(problemIn(answer).reason, type).toBe('malformed');
    }
    if (proving) await expectNothingStored();
  });
});

test('means the same with ids in upper case', () => {
  const id = /"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"/g;
  for (const { name, input } of withInput) {
    const text = JSON.stringify(accepted[name]);
    const upper = text.replaceAll(id, (one) => one.toUpperCase());
    expect(input!.parse(JSON.parse(upper)), name).toEqual(input!.parse(JSON.parse(text)));
  }
});

test('stores nothing from any of these requests', expectNothingStored);

describe('a body', () => {
  const changing = withInput.filter(({ method }) => method === 'POST');
  const bodies: [what: string, sent: Sent][] = [
    ['malformed JSON', { body: '{"contact": {"name": "Naomi Weiss"' }],
    ['something after the JSON', { body: '{} {}' }],
    ['a number that is none', { body: '{"durationMinutes": NaN}' }],
    ['a list', { body: '[]' }],
    ['a list of an object', { body: '[{"reason": "x"}]' }],
    ['nothing at all, in JSON', { body: 'null' }],
    ['text, in JSON', { body: '"reason"' }],
    ['a number', { body: '7' }],
    ['bytes that are no text', { body: Buffer.from([0xff, 0xfe, 0x00, 0x7b]) }],
    ['plain text', { body: 'reason=x', headers: { 'content-type': 'text/plain' } }],
    ['a form', { body: 'reason=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    [
      'a form in parts',
      {
        body: '--x\r\nContent-Disposition: form-data; name="reason"\r\n\r\nx\r\n--x--\r\n',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      },
    ],
    [
      'a broken form in parts',
      { body: '--y', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    ],
    ['a file', { body: '{}', headers: { 'content-disposition': 'attachment; filename="x.json"' } }],
    ['XML', { body: '<reason>x</reason>', headers: { 'content-type': 'application/xml' } }],
    ['a stream of events', { body: 'data: {}\n\n', headers: { 'content-type': 'text/event-stream' } }],
    ['brackets without end', { body: '['.repeat(60_000) }],
  ];

  test.each(bodies)('of %s is rejected by every procedure that changes data', async (_, sent) => {
    const before = await storedIn(server.database);
    for (const procedure of sampleOf(changing, 10)) {
      const [method, path] = requestOf(procedure, accepted[procedure.name]!);
      const { code, reason, fields } = problemIn(await callerOf(procedure).send(method, path, sent));
      expect([procedure.name, code, reason, fields]).toEqual([procedure.name, 'invalid', 'malformed', []]);
    }
    expect(await storedIn(server.database)).toEqual(before);
    // No errors and no input are logged.
    expect(server.log).toEqual([]);
  });

  test('reports the required fields if it’s empty or unrelated', async () => {
    const before = await storedIn(server.database);
    const deep = `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`;
    for (const body of ['', '{}', '{"__proto__": {"startsAt": "x"}, "constructor": 7}', deep]) {
      for (const procedure of body === '{}' ? changing : sampleOf(changing, 10)) {
        const input = accepted[procedure.name]!;
        const lacking = fieldsOf(procedure.input!, input)
          .filter(
            ({ field, required }) =>
              required && !field.includes('.') && !procedure.path.includes(`{${field}}`),
          )
          .map(({ field }) => field);
        if (lacking.length === 0) continue;
        const [method, path] = requestOf(procedure, input);
        const { code, fields } = problemIn(await callerOf(procedure).send(method, path, { body }));
        expect(code).toBe('invalid');
        // An empty body fails as a whole.
        const nothing = body === '' && !procedure.path.includes('{');
        expect(fields, procedure.name).toEqual(
          nothing
            ? [{ field: '', reason: 'required' }]
            : lacking.map((field) => ({ field, reason: 'required' })),
        );
      }
    }
    expect(await storedIn(server.database)).toEqual(before);
  });

  test.each([
    ['of two megabytes', 'body_too_large', 2_000_000, {}],
    ['of two megabytes in chunks', 'length_required', 2_000_000, { 'transfer-encoding': 'chunked' }],
    ['that does not say its length', 'length_required', 1, { 'transfer-encoding': 'chunked' }],
  ])('%s is rejected', async (_, reason, size, headers) => {
    const before = await storedIn(server.database);
    const body = JSON.stringify({ reason: 'x'.repeat(size) });
    const paths = [
      `/api/appointments/${cast.appointmentId}/cancel`,
      '/api/auth/sign-in/email',
      '/api/bookings',
    ];
    for (const path of [...paths, '/api/nowhere']) {
      const problem = problemIn(await cast.client.send('POST', path, { body, headers }));
      expect([path, problem.code, problem.reason]).toEqual([path, 'invalid', reason]);
    }
    expect(await storedIn(server.database)).toEqual(before);
  });
});

describe('a start', () => {
  const book = (change: Input) => {
    const of = { providerId: cast.providerId, serviceId: cast.serviceId, startsAt: cast.freeStart };
    return cast.client.send('POST', '/api/bookings', { body: { ...booking(of), ...change } });
  };
  const at = (change: (start: Temporal.ZonedDateTime) => Temporal.ZonedDateTime) =>
    change(Temporal.Instant.from(cast.freeStart).toZonedDateTimeISO('America/New_York'))
      .toInstant()
      .toString();
  const starts: [what: string, start: () => string, code: string, reason: string][] = [
    ['past', () => systemNow().subtract({ hours: 1 }).round('hour').toString(), 'invalid', 'past'],
    ['in the year 0', () => '0000-01-01T00:00:00Z', 'invalid', 'past'],
    ['in the year 9999', () => '9999-12-31T23:30:00Z', 'invalid', 'too_far_ahead'],
    ['some minutes off', () => at((start) => start.add({ minutes: 7 })), 'invalid', 'unaligned'],
    ['some seconds off', () => at((start) => start.add({ seconds: 1 })), 'invalid', 'unaligned'],
    ['at night', () => at((start) => start.with({ hour: 3, minute: 0 })), 'invalid', 'outside_hours'],
    [
      'on a Sunday',
      () => at((start) => start.add({ days: 7 - start.dayOfWeek })),
      'invalid',
      'outside_hours',
    ],
  ];

  test('of a series that passes the year 9999 is rejected', async () => {
    const series = { providerId: cast.providerId, durationMinutes: 60, recurrence: 'weekly', sessions: 3 };
    const body = { ...series, startsAt: '9999-12-31T23:30:00Z' };
    expectRefused(
      await cast.client.send('POST', '/api/bookings/check', { body }),
      'startsAt',
      'a late series',
    );
  });

  test.each(starts)('that lies %s is rejected', async (_, start, code, reason) => {
    const before = await storedIn(server.database);
    const startsAt = start();
    for (const answer of [
      await book({ startsAt }),
      await cast.client.send('POST', `/api/appointments/${cast.appointmentId}/reschedule`, {
        body: { startsAt },
      }),
    ]) {
      const problem = problemIn(answer);
      expect([problem.code, problem.reason]).toEqual([code, reason]);
      expect(problem.fields).toEqual([{ field: 'startsAt', reason }]);
    }
    expect(await storedIn(server.database)).toEqual(before);
  });

  test.each([
    ['a specialist that is not there', () => ({ providerId: newId() }), 'not_found'],
    ['a service that is not there', () => ({ serviceId: 'nothing' }), 'invalid'],
    ['a length that is not offered', () => ({ durationMinutes: 25 }), 'invalid'],
    [
      'a series into the far future',
      () => ({ recurrence: 'biweekly', sessions: 12, startsAt: '9999-12-01T15:00:00Z' }),
      'invalid',
    ],
  ])('with %s is rejected', async (_, change, code) => {
    const before = await storedIn(server.database);
    expect(problemIn(await book(change())).code).toBe(code);
    expect(await storedIn(server.database)).toEqual(before);
  });
});

test('drops unknown fields from stored data', async () => {
  const of = { providerId: cast.providerId, serviceId: cast.serviceId, startsAt: cast.freeStart };
  const smuggled = {
    clientId: newId(),
    client_id: newId(),
    status: 'completed',
    id: newId(),
    bookingId: newId(),
  };
  const answer = await cast.otherClient.send('POST', '/api/bookings', {
    body: { ...booking(of), ...smuggled },
  });
  expect(answer.status).toBe(201);
  const { appointments } = answer.json as { appointments: Record<string, unknown>[] };
  expect(appointments).toMatchObject([{ priceCents: 10_000, status: 'confirmed', client: null }]);
  expect(appointments[0]!.id).not.toBe(smuggled.id);
  const path = `/api/appointments/${String(appointments[0]!.id)}/cancel`;
  expect((await cast.otherClient.send('POST', path, { body: { cancelledBy: newId() } })).status).toBe(200);

  const own = { role: 'super_admin', id: newId(), email: 'other@italk.test', emailVerified: false };
  const before = (await cast.otherClient.send('GET', '/api/me')).json;
  expect((await cast.otherClient.send('POST', '/api/me/preferences', { body: own })).json).toEqual(before);
});

test('stores allowed hostile text unchanged', async () => {
  const of = { providerId: cast.providerId, serviceId: cast.serviceId, startsAt: cast.freeStart };
  const name = `<b>Robert'); drop table users;--</b> 🙂 אבג {{7*7}} \${x}`;
  const contact = { name, email: `o'neil+tag@weiss.example`, phone: '+1 (555) 010-0199' };
  const booked = await cast.client.send('POST', '/api/bookings', { body: { ...booking(of), contact } });
  expect(booked.status).toBe(201);
  const [{ id }] = (booked.json as { appointments: [{ id: string }] }).appointments;
  const seen = await cast.provider.send('GET', `/api/appointments/${id}`);
  expect(seen.json).toMatchObject({ client: { name, email: contact.email, phone: contact.phone } });
  const reason = `Sorry,\n"${name}"\t\u202etruly\u202c`;
  const cancelled = await cast.client.send('POST', `/api/appointments/${id}/cancel`, { body: { reason } });
  expect(cancelled.json).toMatchObject({ status: 'cancelled', cancelReason: reason });
});

describe('random input', () => {
  const seed = inject('seed');
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom(
      '',
      'NaN',
      1e308,
      -0,
      'UTC',
      'America/New_York',
      'Etc/GMT+14',
      'EST5EDT',
      '\ud800',
      '__proto__',
    ),
    fc.uuid(),
    fc.integer(),
  );
  /** Accepted input with random fields replaced, removed or added. */
  const changes = (names: readonly string[]) =>
    fc.dictionary(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, fc.string({ maxLength: 8 })),
      fc.option(anything, { nil: undefined }),
      { maxKeys: 4 },
    );
  const contact = fc.record({ name: anything, email: anything, phone: anything }, { requiredKeys: [] });

  test('to booking returns a session or a refusal, storing what it returns', async () => {
    const { db } = server.database;
    const stored = async () => (await db.selectFrom('bookings').select('id').execute()).map(({ id }) => id);
    const booked = new Set(await stored());
    const wish = accepted['appointments.book']!;
    await fc.assert(
      fc.asyncProperty(
        changes(Object.keys(wish)),
        fc.option(contact, { nil: undefined }),
        async (changed, whom) => {
          const body = {
            ...wish,
            idempotencyKey: newId(),
            ...changed,
            ...(whom ? { contact: whom } : {}),
          };
          const answer = await cast.otherClient.send('POST', '/api/bookings', { body });
          if (answer.status === 201) booked.add((answer.json as { bookingId: string }).bookingId);
          else problemIn(answer);
        },
      ),
      { seed, numRuns: proving ? 150 : 40, endOnFailure: true },
    );
    expect(new Set(await stored())).toEqual(booked);
    expect(server.log).toEqual([]);
  });

  test('to preferences returns the person or a refusal, storing only valid fields', async () => {
    const refused = new Set<string>();
    await fc.assert(
      fc.asyncProperty(changes(['timeZone', 'keepDiscreet']), async (body) => {
        const answer = await cast.client.send('POST', '/api/me/preferences', { body });
        if (answer.status !== 200) {
          refused.add(problemIn(answer).code);
          return;
        }
        const { timeZone, keepDiscreet } = JSON.parse(JSON.stringify(body)) as Input;
        expect(answer.json).toMatchObject({
          role: 'client',
          ...(timeZone === undefined ? {} : { timeZone }),
          ...(keepDiscreet === undefined ? {} : { keepDiscreet }),
        });
      }),
      { seed, numRuns: proving ? 100 : 40, endOnFailure: true },
    );
    expect(refused).toEqual(new Set(['invalid']));
    expect(server.log).toEqual([]);
  });
});

// Runs last: accepted inputs change data other tests read.
describe('unusual but valid input', () => {
  test.each(withInput.map((procedure) => [procedure.name, procedure] as const))(
    'is accepted by %s',
    async (name, procedure) => {
      const input = accepted[name]!;
      const unusual = fieldsOf(procedure.input!, input).flatMap(({ field, type, example }) => {
        const asText = procedure.method === 'GET' || procedure.path.includes(`{${field}}`);
        return hostileTo(type, example, asText).borne.map((value) => ({ field, value }));
      });
      for (const { field, value } of sampleOf(unusual, 3)) {
        const answer = await callerOf(procedure).send(...requestOf(procedure, having(input, field, value)));
        expect(answer.status, `${field} as ${short(value)}: ${answer.text}`).toBeLessThan(500);
      }
    },
  );
});

test('to what guards accounts is logged, up to sixty an hour, without its content', async () => {
  const { db } = server.database;
  await db.deleteFrom('rate_limits').execute();
  const logged = () =>
    db
      .selectFrom('audit_entries')
      .where('action', 'in', [
        'refused.passkeys.add',
        'refused.identity.sign-in.email',
        'refused.accounts.updatePreferences',
      ])
      .select(['action', 'actor_id', 'details'])
      .orderBy('id')
      .execute();
  const before = (await logged()).length;
  const by = cast.otherClient;
  const { id: actor_id } = (await by.send('GET', '/api/me')).json as { id: string };
  const body = { passkey: 'a-secret-of-theirs' };
  await by.send('POST', '/api/me/passkeys', { body });
  await by.send('POST', '/api/me/preferences', { body: { keepDiscreet: 'a-secret-of-theirs' } });
  await server.guest.send('POST', '/api/auth/sign-in/email', { body: { email: 'a-secret-of-theirs' } });
  expect((await logged()).slice(before)).toEqual([
    { action: 'refused.passkeys.add', actor_id, details: { reason: 'fields' } },
    { action: 'refused.identity.sign-in.email', actor_id: null, details: { reason: 'fields' } },
  ]);
  const answers = await Promise.all(
    Array.from({ length: 70 }, () => by.send('POST', '/api/me/passkeys', { body })),
  );
  expect(answers.every(({ status }) => status === 400)).toBe(true);
  expect(await logged()).toHaveLength(before + 61);
});
