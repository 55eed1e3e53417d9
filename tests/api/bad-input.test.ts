import { connect } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
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

const server = await testServer();
let cast: Cast;
beforeAll(async () => {
  cast = await castOf(server);
});

/** What is wrong for any field. */
const wrongTypes = [null, [], ['x'], {}, { a: 1 }];
/** What is wrong for any field that is text of some form. */
const wrongTexts = [
  ...wrongTypes,
  12_345,
  -1,
  1e308,
  true,
  'x'.repeat(10_000),
  '🙂',
  'א\u202eב',
  '\u0000',
  '\u001b[31m',
  `'; drop table appointments; --`,
  '<script>alert(1)</script>',
];
const wrongNumbers = [...wrongTypes, '30', '', 'NaN', true, 30.5, -1, 0, 1e308, 2 ** 53];

/** What each kind of field refuses, besides what isn't text or number at all. */
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  uuid: [
    ...wrongTexts,
    '',
    'not-a-uuid',
    '019a0000-0000-7000-8000-00000000000g',
    `${newId()} or 1=1`,
    '../me',
  ],
  instant: [
    ...wrongTexts,
    '',
    'tomorrow',
    'NaN',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-03-02T25:00:00Z',
    '2026-03-02T10:00:60Z',
    '2026-03-02T10:00:00',
    '2026-03-02 10:00:00Z',
    '2026-03-02',
    '2026-03-02T10:00:00+05:45',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    `2026-03-02T10:00:00.${'0'.repeat(20)}Z`,
    '2026-03-02T10:00:00Z[Asia/Kathmandu]',
  ],
  timeZone: [
    ...wrongTexts,
    '',
    'Mars/Olympus',
    '../../etc/passwd',
    '+05:45',
    'Europe/Berlin\n',
    'A'.repeat(65),
  ],
  serviceId: [...wrongTexts, '', 'Upper', '../x', 'x_y', '-x', 'a'.repeat(61), "x' or '1'='1"],
  option: [...wrongTexts, '', 'ONLINE', 'online ', 'constructor', '__proto__'],
  boolean: [...wrongTypes, 'true', 'false', '', 0, 1],
  minutes: [...wrongNumbers, 14, 241, 37],
  planned: [...wrongNumbers, 14, 241],
  count: [...wrongNumbers, 1, 13],
  reminder: [...wrongNumbers, 16],
  limit: ['', 'x', 'NaN', 'Infinity', '-1', '0', '1.5', '1e9', '٣', `1;select 1`],
  name: [
    ...wrongTypes,
    7,
    true,
    '',
    '   ',
    'x'.repeat(10_000),
    'a\nb',
    'a\r\nBcc: b@c.example',
    'a\u0000b',
    'a\u0085b',
  ],
  email: [
    ...wrongTexts,
    '',
    'a',
    'a@',
    '@b.example',
    'a b@c.example',
    'a@b.example\r\nBcc: c@d.example',
    'a@b',
  ],
  words: [7, true, 'x'.repeat(10_000), 'x'.repeat(101), 'a\nb', 'a\u0000b', 'a\u2028b', null, {}],
  list: ['x', 7, true, {}, [''], [7], ['a\nb'], ['x'.repeat(61)], Array.from({ length: 21 }, () => 'x')],
  phone: [...wrongTexts, 'call me', '+1\n555', '1'.repeat(41)],
  reason: [...wrongTypes, 7, true, 'x'.repeat(10_000), 'x'.repeat(501), 'a\u0000b', '\u001b[31m'],
  message: [...wrongTypes, 7, true, '', '   ', 'x'.repeat(10_000), 'a\u0000b', '\u001b[31m'],
  note: [...wrongTypes, 7, true, 'x'.repeat(10_000), 'a\u0000b', '\u001b[31m'],
  oneLine: [...wrongTypes, 7, true, 'x'.repeat(10_000), 'a\nb', 'a\u0000b', 'a\u0085b'],
  whole: wrongNumbers,
  length: [...wrongNumbers, 1_441],
  cursor: ['', '1', '~', '-1~x', `x~${newId()}`, `1~${newId()}x`, `1e5~${newId()}`, 'x'.repeat(10_000)],
  text: [...wrongTypes, 7, true, 'x'.repeat(20_001), 'a\u0000b', '\u001b[31m'],
  url: [
    ...wrongTexts,
    '',
    'http://example.org',
    'javascript:alert(1)',
    'https://',
    'https://localhost',
    '//example.org',
    `https://example.org/${'x'.repeat(2_000)}`,
  ],
  day: [...wrongTexts, '', '2026-02-30', '2026-3-2', '0000-01-01', '9999-12-31T00:00:00Z', '+12026-01-01'],
  month: [...wrongTexts, '', '2026-13', '2026-3', '0000-01', '2026-03-02'],
  yearDay: [...wrongTexts, '', '13-01', '00-10', '1-1', '02-32', '2026-01-01', '05-05 '],
  bucketId: [...wrongTexts, '', 'Upper', '../x', 'x_y', '-x', '1x', 'a'.repeat(64)],
  fileName: [
    ...wrongTypes,
    7,
    true,
    '',
    '  ',
    'x'.repeat(10_000),
    'a\u0000b',
    'a\nb',
    '../a',
    'a\\b',
    'a\u202eb',
  ],
  mediaTypes: [
    null,
    {},
    'image/png',
    7,
    [],
    [7],
    ['png'],
    ['IMAGE/PNG'],
    ['a/b\u0000'],
    Array(51).fill('a/b'),
  ],
  bytes: [...wrongNumbers, 6 * 1024 ** 3],
  seconds: [...wrongNumbers, 59, 604_801],
  offset: ['x', 'NaN', 'Infinity', '-1', '1.5', '1e9', '٣'],
  mood: [...wrongNumbers, 6],
  steps: [null, {}, 'x', 7, [7], [{}], [{ text: '' }], [{ text: 'a\u0000b' }], [{ text: 'x', id: 'y' }]],
  entry: [...wrongTypes, 7, true, '', '   ', 'x'.repeat(15_001), 'a\u0000b', '\u001b[31m'],
  password: [...wrongTypes, 12_345_678, true, '', 'x'.repeat(10_000)],
  next: [...wrongTypes, 7, true, '/'.repeat(501)],
  token: [...wrongTypes, 7, true, '', 'x'.repeat(10_000)],
};

/** The kind of each field, by its name; a field that isn't here fails the tests. */
const kinds: Readonly<Record<string, string>> = {
  appointmentId: 'uuid',
  providerId: 'uuid',
  idempotencyKey: 'uuid',
  moving: 'uuid',
  exportId: 'uuid',
  id: 'uuid',
  'catalogue.service id': 'serviceId',
  serviceId: 'serviceId',
  startsAt: 'instant',
  from: 'instant',
  to: 'instant',
  timeZone: 'timeZone',
  keepDiscreet: 'boolean',
  sessionReminders: 'boolean',
  dailyDevotionals: 'boolean',
  communityUpdates: 'boolean',
  fullName: 'name',
  spiritualTradition: 'words',
  mentalHealthFocus: 'list',
  durationMinutes: 'minutes',
  'booking.checkSeries durationMinutes': 'planned',
  'booking.freeStarts durationMinutes': 'limit',
  sessions: 'count',
  recurrence: 'option',
  sessionType: 'option',
  status: 'option',
  order: 'option',
  reminderMinutes: 'reminder',
  minutes: 'reminder',
  limit: 'limit',
  contact: 'object',
  name: 'name',
  'contact.name': 'name',
  'contact.email': 'email',
  'contact.phone': 'phone',
  email: 'email',
  reason: 'reason',
  password: 'password',
  newPassword: 'password',
  next: 'next',
  token: 'token',
  messageId: 'uuid',
  lastId: 'uuid',
  lastSentAt: 'instant',
  lastStart: 'instant',
  subject: 'name',
  message: 'message',
  note: 'note',
  search: 'oneLine',
  state: 'option',
  solution: 'whole',
  'contact.send website': 'oneLine',
  goalId: 'uuid',
  stepId: 'uuid',
  entryId: 'uuid',
  requestId: 'uuid',
  beforeId: 'uuid',
  beforeAt: 'instant',
  beforeDate: 'day',
  dueOn: 'day',
  date: 'day',
  month: 'month',
  offset: 'offset',
  mood: 'mood',
  title: 'name',
  'growth.journal.write title': 'oneLine',
  'growth.journal.change title': 'oneLine',
  why: 'note',
  steps: 'steps',
  done: 'boolean',
  achieved: 'boolean',
  showName: 'boolean',
  audience: 'option',
  text: 'message',
  'growth.journal.write text': 'entry',
  'growth.journal.change text': 'entry',
  reviewId: 'uuid',
  rating: 'mood',
  'growth.devotionals.byDay day': 'yearDay',
  'growth.devotionals.entry day': 'yearDay',
  'growth.devotionals.edit day': 'yearDay',
  'growth.devotionals.year month': 'limit',
  version: 'whole',
  reference: 'name',
  thought: 'message',
  prayer: 'message',
  on: 'boolean',
  'reviews.write text': 'note',
  named: 'option',
  place: 'oneLine',
  revision: 'whole',
  featured: 'boolean',
  fileId: 'uuid',
  bucketId: 'bucketId',
  bucket: 'bucketId',
  'files.buckets.create id': 'bucketId',
  'files.move name': 'fileName',
  'files.copy name': 'fileName',
  readableBy: 'option',
  maxBytes: 'bytes',
  contentTypes: 'mediaTypes',
  seconds: 'seconds',
  q: 'oneLine',
  cursor: 'cursor',
  category: 'option',
  kept: 'option',
  favourite: 'boolean',
  confirmed: 'boolean',
  resourceId: 'uuid',
  author: 'name',
  type: 'option',
  form: 'option',
  description: 'note',
  body: 'text',
  url: 'url',
  'resources.saveDraft durationMinutes': 'length',
  'resources.reject reason': 'message',
  'resources.unpublish reason': 'message',
};

function wrongFor(procedure: string, field: string): readonly unknown[] {
  const kind = kinds[`${procedure} ${field}`] ?? kinds[field];
  if (kind === 'object') return [null, [], 'Naomi', 7, true];
  const values = kind && wrong[kind];
  if (!values) throw new Error(`say what is wrong for ${field} of ${procedure}`);
  return values;
}

interface Field {
  /** From the input's root, with dots. */
  field: string;
  required: boolean;
}

function fieldsOf(shape: z.ZodObject, trail = ''): Field[] {
  return Object.entries(shape.shape).flatMap(([key, type]) => {
    const field = `${trail}${key}`;
    const inner = type instanceof z.ZodObject ? fieldsOf(type, `${field}.`) : [];
    return [{ field, required: !(type as z.ZodType).safeParse(undefined).success }, ...inner];
  });
}

type Input = Readonly<Record<string, unknown>>;

/** The input with one field set to something else, or left out. */
function having(input: Input, field: string, value: unknown): Input {
  const [first, ...rest] = field.split('.');
  const inner = rest.length > 0 ? having(input[first!] as Input, rest.join('.'), value) : value;
  const { [first!]: _replaced, ...others } = input;
  return inner === undefined ? others : { ...others, [first!]: inner };
}

/** Sees that an answer refuses the input by this field. */
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

/** Who may call a procedure with input. */
function callerOf({ access }: Procedure): Visitor {
  const clients = ['book_appointments', 'view_own_appointments'];
  const open = typeof access === 'string' || access.some((one) => clients.includes(one));
  const administrators = ['access_admin_panel', 'manage_settings', 'moderate_content'];
  if (!open && access.some((one) => administrators.includes(one))) return cast.admin;
  return open ? cast.client : cast.provider;
}

const withInput = procedures.flatMap((procedure) => (procedure.input ? [procedure] : []));
const short = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

describe.each(withInput.map((procedure) => [procedure.name, procedure] as const))('%s', (name, procedure) => {
  test('names the field that is missing or wrong, and stores nothing', async () => {
    const before = await storedIn(server.database);
    const input = acceptedInputs(cast)[name]!;
    expect(input, `say what ${name} accepts`).toBeDefined();
    const caller = callerOf(procedure);
    const missing: FieldProblem[] = [];
    const inPath = (field: string) => procedure.path.includes(`{${field}}`);
    for (const { field, required } of fieldsOf(procedure.input!)) {
      if (required && !inPath(field)) {
        const answer = await caller.send(...requestOf(procedure, having(input, field, undefined)));
        missing.push(...expectRefused(answer, field, `${field} left out`));
      }
      for (const value of wrongFor(name, field)) {
        const asText = procedure.method === 'GET' || inPath(field);
        // An address can carry text only, and an empty part of it names another route.
        if (asText && (typeof value !== 'string' || (inPath(field) && value === ''))) continue;
        const answer = await caller.send(...requestOf(procedure, having(input, field, value)));
        expectRefused(answer, field, `${field} as ${short(value)}`);
      }
    }
    expect(missing.filter(({ reason }) => reason !== 'required')).toEqual([]);
    expect(await storedIn(server.database)).toEqual(before);
  });
});

describe.each(Object.entries(identityInputs))('/api/auth%s', (path, shape) => {
  const accepted: Input = {
    name: 'Ruth Amsel',
    email: 'ruth@amsel.example',
    password: 'a-quiet-room-42',
    newPassword: 'a-quiet-room-42',
    next: '/home',
    token: 'x'.repeat(32),
  };

  test('names the field that is missing or wrong, and stores nothing', async () => {
    const before = await storedIn(server.database);
    const send = (body: unknown) => server.guest.send('POST', `/api/auth${path}`, { body });
    for (const { field, required } of fieldsOf(shape)) {
      if (required) expectRefused(await send(having(accepted, field, undefined)), field, `${field} left out`);
      for (const value of wrongFor(path, field)) {
        expectRefused(await send(having(accepted, field, value)), field, `${field} as ${short(value)}`);
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
      const sent = { body: accepted, headers: { 'content-type': type } };
      const answer = await server.guest.send('POST', `/api/auth${path}`, sent);
      expect(problemIn(answer).reason, type).toBe('malformed');
    }
    expect(await storedIn(server.database)).toEqual(before);
  });
});

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

  test.each(bodies)('of %s is refused by every procedure that changes something', async (_, sent) => {
    const before = await storedIn(server.database);
    for (const procedure of changing) {
      const [method, path] = requestOf(procedure, acceptedInputs(cast)[procedure.name]!);
      const { code, reason, fields } = problemIn(await callerOf(procedure).send(method, path, sent));
      expect([procedure.name, code, reason, fields]).toEqual([procedure.name, 'invalid', 'malformed', []]);
    }
    expect(await storedIn(server.database)).toEqual(before);
    // Nothing of it is a defect, and nobody's words are in the log.
    expect(server.log).toEqual([]);
  });

  test('that is empty lacks what is required, as does one of other things', async () => {
    const before = await storedIn(server.database);
    const deep = `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`;
    for (const body of ['', '{}', '{"__proto__": {"startsAt": "x"}, "constructor": 7}', deep]) {
      for (const procedure of changing) {
        const lacking = fieldsOf(procedure.input!)
          .filter(
            ({ field, required }) =>
              required && !field.includes('.') && !procedure.path.includes(`{${field}}`),
          )
          .map(({ field }) => field);
        if (lacking.length === 0) continue;
        const [method, path] = requestOf(procedure, acceptedInputs(cast)[procedure.name]!);
        const { code, fields } = problemIn(await callerOf(procedure).send(method, path, { body }));
        expect(code).toBe('invalid');
        // Nothing at all is wrong as a whole.
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
  ])('%s is refused', async (_, reason, size, headers) => {
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

describe('an address', () => {
  const range = 'from=2026-03-02T00:00:00Z&to=2026-03-09T00:00:00Z';
  const strange = [
    '/api/appointments/%',
    '/api/appointments/%00',
    '/api/appointments/%ff%fe',
    '/api/appointments/..%2f..%2fme',
    '/api/appointments/__proto__',
    `/api/appointments?${range}&limit=1&limit=2`,
    `/api/appointments?${range}&limit[]=x`,
    `/api/appointments?${range}&limit[a]=1`,
    `/api/appointments?${range}&from[__proto__][x]=1`,
    `/api/appointments?from[0]=a&from[1]=b&to=%`,
    `/api/appointments?${'from[a]'.repeat(500)}=1`,
    `/api/appointments?from=2026-03-09T00:00:00Z`,
    '/api/services/%F0%9F%99%82',
    `/api/services/${'x'.repeat(8_000)}`,
    '/api/specialists?limit=%00',
    '/api/specialists/x/free-starts',
    '/api/mail-tray/%2e%2e',
    '/api/nowhere',
    '/api',
    '/api/',
    '/api//services',
    '/api/services/individuals/%',
  ];

  test.each(strange)('%s is refused', async (path) => {
    expect(['invalid', 'not_found']).toContain(problemIn(await cast.client.send('GET', path)).code);
    expect(server.log).toEqual([]);
  });

  test.each([
    'GET //[ HTTP/1.1',
    'GET http://[/api/me HTTP/1.1',
    'GET /api/me HTTP/9.9',
    'GET /\u0000 HTTP/1.1',
  ])('that cannot be read answers no 5xx: %j', async (line) => {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    socket.write(`${line}\r\nHost: italk.test\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  });

  test('at the ends of the calendar is answered or refused', async () => {
    const free = `/api/specialists/${cast.providerId}/free-starts?durationMinutes=60&`;
    const spans = [
      ['0000-01-01T00:00:00Z', '0000-01-02T00:00:00Z'],
      ['9999-12-30T00:00:00Z', '9999-12-31T23:59:59.999Z'],
      ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
      ['2026-03-02T10:00:00.123456789Z', '2026-03-02T10:00:00.123456790Z'],
      ['2026-03-02T10:00Z', '2026-03-02T11:00Z'],
    ];
    const codes = new Set<string>();
    for (const [from, to] of spans) {
      for (const path of [free, '/api/appointments?']) {
        const answer = await cast.client.send('GET', `${path}from=${from}&to=${to}`);
        codes.add(answer.status === 200 ? 'answered' : problemIn(answer).code);
      }
    }
    expect(codes).toEqual(new Set(['answered', 'invalid']));
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

  test.each(starts)('that lies %s is refused', async (_, start, code, reason) => {
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
  ])('with %s is refused', async (_, change, code) => {
    const before = await storedIn(server.database);
    expect(problemIn(await book(change())).code).toBe(code);
    expect(await storedIn(server.database)).toEqual(before);
  });
});

test('fields that nobody asked for are left out of what is stored', async () => {
  const of = { providerId: cast.providerId, serviceId: cast.serviceId, startsAt: cast.freeStart };
  const smuggled = {
    clientId: newId(),
    client_id: newId(),
    priceCents: 1,
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

test('hostile text that a field allows is kept to the letter', async () => {
  const of = { providerId: cast.providerId, serviceId: cast.serviceId, startsAt: cast.freeStart };
  const name = `<b>Robert'); drop table users;--</b> 🙂 \u202eאבג\u202c {{7*7}} \${x}`;
  const contact = { name, email: `o'neil+tag@weiss.example`, phone: '+1 (555) 010-0199' };
  const booked = await cast.client.send('POST', '/api/bookings', { body: { ...booking(of), contact } });
  expect(booked.status).toBe(201);
  const [{ id }] = (booked.json as { appointments: [{ id: string }] }).appointments;
  const seen = await cast.provider.send('GET', `/api/appointments/${id}`);
  expect(seen.json).toMatchObject({ client: { name, email: contact.email, phone: contact.phone } });
  const reason = `Sorry,\n"${name}"\ttruly`;
  const cancelled = await cast.client.send('POST', `/api/appointments/${id}/cancel`, { body: { reason } });
  expect(cancelled.json).toMatchObject({ status: 'cancelled', cancelReason: reason });
});

describe('whatever is sent', () => {
  const seed = 20_260_302;
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
  /** Some of the accepted fields replaced by anything, some left out, some added. */
  const changes = (names: readonly string[]) =>
    fc.dictionary(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, fc.string({ maxLength: 8 })),
      fc.option(anything, { nil: undefined }),
      { maxKeys: 4 },
    );
  const contact = fc.record({ name: anything, email: anything, phone: anything }, { requiredKeys: [] });

  test('booking answers with a session or a refusal, and stores what it says', async () => {
    const { db } = server.database;
    const stored = async () => (await db.selectFrom('bookings').select('id').execute()).map(({ id }) => id);
    const booked = new Set(await stored());
    const accepted = acceptedInputs(cast)['booking.book']!;
    await fc.assert(
      fc.asyncProperty(
        changes(Object.keys(accepted)),
        fc.option(contact, { nil: undefined }),
        async (changed, whom) => {
          const body = {
            ...accepted,
            idempotencyKey: newId(),
            ...changed,
            ...(whom ? { contact: whom } : {}),
          };
          const answer = await cast.otherClient.send('POST', '/api/bookings', { body });
          if (answer.status === 201) booked.add((answer.json as { bookingId: string }).bookingId);
          else problemIn(answer);
        },
      ),
      { seed, numRuns: 150, endOnFailure: true },
    );
    expect(new Set(await stored())).toEqual(booked);
    expect(server.log).toEqual([]);
  });

  test('preferences answer with the person or a refusal, and nothing but the two is kept', async () => {
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
      { seed, numRuns: 100, endOnFailure: true },
    );
    expect(refused).toEqual(new Set(['invalid']));
    expect(server.log).toEqual([]);
  });
});
