import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { downloads, uploads } from '#/app/api.ts';
import { recorded } from '#/app/recorded.ts';
import { walkLog } from '#/features/audit/log/queries.ts';
import { pdf } from '../support/bytes.ts';
import {
  casesOn,
  withoutSubject,
  jobsOf,
  updatesOf,
  withoutValues,
  type Case,
} from '../support/contract-cases.ts';
import { guarded, guardedAtTimes } from '../support/guarded.ts';
import { openTestProvider } from '../support/openid.ts';
import { procedures } from '../support/procedures.ts';
import { problemIn, storedIn, testServer, type Answer } from '../support/server.ts';
import { openTestSms } from '../support/sms.ts';
import { stageOf, type Made } from '../support/stage.ts';
import { screensOf } from '../support/screen-updates.ts';

const openId = await openTestProvider();
const sms = await openTestSms();
const server = await testServer({
  config: { openIdProviders: [openId.config], walletSignIn: true, sms: sms.config },
});
const { db } = server.database;
const stage = await stageOf(server, openId, sms);
const { cast } = stage;
const { cases, uploadCases, downloadCases } = casesOn(stage);
const screens = await screensOf(server.database.url);
afterAll(() => Promise.all([screens.close(), openId.close(), sms.close()]));

function entriesOf({ headers }: Answer) {
  return db
    .selectFrom('audit_entries')
    .select(['action', 'category', 'actor_kind', 'actor_id', 'actor_name', 'subject_kind', 'subject_id'])
    .select(['details', 'success'])
    .where('request_id', '=', String(headers['x-request-id']))
    .orderBy('id')
    .execute();
}

/** Checks that the request succeeded and left exactly these audit entries. */
async function expectTraces(answer: Answer, leaves: readonly string[], { by, input, about, named }: Case) {
  expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(300);
  const made = answer.json as Made | null;
  const subject = typeof about === 'function' ? await about(made!) : about === undefined ? made?.id : about;
  const subjects = [subject].flat() as readonly (string | null | undefined)[];
  // Ids from the same millisecond have no order.
  const actions = leaves.map((line) => line.split(' ')[0]!);
  const entries = (await entriesOf(answer)).toSorted(
    (one, other) => actions.indexOf(one.action) - actions.indexOf(other.action),
  );
  expect(
    entries.map(({ details: _details, ...said }) => said),
    answer.text.slice(0, 500),
  ).toEqual(
    leaves.map((line, at) => {
      const [action, category, subject_kind = null] = line.split(' ');
      return {
        action,
        category,
        actor_kind: by.id === undefined ? 'guest' : 'person',
        actor_id: by.id ?? null,
        actor_name: null,
        subject_kind,
        subject_id: subjects[at],
        success: true,
      };
    }),
  );
  const values = entries.flatMap(({ details }) => Object.values(details as object) as unknown[]);
  expect(values).toEqual(expect.arrayContaining(named === undefined ? [] : [named]));
  const texts = values.filter((value) => typeof value === 'string');
  for (const text of texts)
    expect(text.replaceAll(/ →|[:,](?= )|\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '').trim()).toMatch(closed);
  for (const typed of typedIn(input))
    expect(texts.filter((text) => text.toLowerCase().includes(typed.toLowerCase()))).toEqual([]);
}

/** Space-separated codes, numbers, dates, regions, media types and scopes: no user-written text. */
const closed = /^(?:(?:[a-z\d][\w-]*|\d+\.\d+|[a-z]+\/[\w.+-]+|[a-z]+:[a-z]+|[A-Z]{2})(?: (?!$)|$))*$/;

const confirmAll = (at: Date | null) =>
  db.updateTable('sessions').set({ reauthenticated_at: at, fully_reauthenticated_at: at }).execute();
afterEach(() => confirmAll(new Date('2100-01-01')));

/** Leaves the next call unconfirmed unless it's guarded: then it must be refused first. */
async function expectGuarded(name: string, { by, input }: Case) {
  if (guardedAtTimes.includes(name)) return;
  await confirmAll(null);
  if (!guarded.includes(name)) return;
  expect(problemIn(await stage.ask(by, name, input))).toMatchObject({
    code: 'precondition',
    reason: 'reauthentication_required',
  });
  await confirmAll(new Date('2100-01-01'));
}

async function expectUpdatesAndJobs(name: string, { headers }: Answer, { by }: Case) {
  expect(await screens.updates(by.id), 'screen updates').toEqual(updatesOf.get(name) ?? []);
  const { rows } = await sql<{ name: string }>`
    select distinct name from jobs.job
     where data ->> 'requestId' = ${String(headers['x-request-id'])} order by name`.execute(db);
  const jobs = rows.map((row) => row.name).toSorted();
  expect(jobs, 'jobs').toEqual(jobsOf.get(name) ?? []);
}

/** User-written strings: ids and enum values contain neither capitals nor spaces. */
function typedIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(typedIn);
  return typeof value === 'string' && value.length > 2 && /[A-Z@ ]/.test(value) ? [value] : [];
}

const namesIn = (rows: object) => Object.keys(rows).toSorted();
const namesOf = (some: typeof procedures) => some.map(({ name }) => name).toSorted();
const changing = procedures.filter(({ method }) => method !== 'GET');
const asking = procedures.filter(({ method }) => method === 'GET');

describe('every change', () => {
  test('is covered by its feature, with expected traces', () => {
    expect(namesIn(cases)).toEqual(expect.arrayContaining(namesOf(changing)));
    expect(namesOf(procedures)).toEqual(expect.arrayContaining(namesIn(cases)));
    expect(namesOf(changing)).toEqual(expect.arrayContaining([...updatesOf.keys(), ...jobsOf.keys()]));
    expect(namesIn(uploadCases)).toEqual(uploads.map(({ path }) => path).toSorted());
    const silent = changing.filter(({ writes }) => writes.length === 0);
    expect(namesOf(silent)).toEqual(namesOf(changing.filter((one) => one.unlogged !== undefined)));
    expect(asking.filter((one) => one.unlogged !== undefined)).toEqual([]);
  });

  test.each(changing.map((one) => [one.name, one] as const))('%s', async (name, { writes, unlogged }) => {
    const done = await cases[name]!();
    await screens.clear();
    await expectGuarded(name, done);
    if (unlogged === undefined) {
      const answer = await stage.ask(done.by, name, done.input);
      await expectTraces(answer, writes, { ...done, input: stage.sent(name, done.input) });
      await expectUpdatesAndJobs(name, answer, done);
      return;
    }
    const before = await storedIn(server.database);
    const answer = await stage.ask(done.by, name, done.input);
    await expectTraces(answer, [], done);
    await expectUpdatesAndJobs(name, answer, done);
    const after = await storedIn(server.database);
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    const something: unknown = expect.arrayContaining([expect.any(String)]);
    expect(changed).toEqual(unlogged === 'asks' ? [] : something);
  });

  test.each(namesIn(uploadCases))('upload %s', async (path) => {
    const done = await uploadCases[path]!();
    const { by, leaves = [], query = {}, body = pdf() } = done;
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await by.send('POST', `/api${path}?${new URLSearchParams(query).toString()}`, {
      body,
      headers,
    });
    await expectTraces(answer, leaves, { ...done, input: query });
  });
});

describe('every read', () => {
  test('is covered', () => {
    expect(namesIn(downloadCases)).toEqual(downloads.map(({ path }) => path).toSorted());
  });

  test.each(asking.map((one) => [one.name, one] as const))('%s', async (name, { writes }) => {
    const done = (await cases[name]?.()) ?? { by: await whoMay(name) };
    await expectGuarded(name, done);
    await expectTraces(await stage.ask(done.by, name, done.input), writes, done);
    // Repeated reads, such as page refetches, aren't logged.
    await expectTraces(await stage.ask(done.by, name, done.input), [], done);
  });

  /** Returns a person allowed to call the procedure; checks their read isn't logged. */
  async function whoMay(name: string): Promise<Case['by']> {
    for (const by of [cast.client, cast.provider, cast.admin, server.guest]) {
      const answer = await stage.ask(by, name);
      if (answer.status >= 300) continue;
      expect(await entriesOf(answer)).toEqual([]);
      return by;
    }
    throw new Error(`nobody is answered ${name}`);
  }

  test.each(namesIn(downloadCases))('download %s', async (path) => {
    const done = await downloadCases[path]!();
    const { by, leaves = [], query = {} } = done;
    const answer = await by.send('GET', `/api${path}?${new URLSearchParams(query).toString()}`);
    await expectTraces(answer, leaves, { ...done, input: query });
  });
});

test('names what each entry is about, unless known not to', async () => {
  const [bare, named] = [new Set<string>(), new Set<string>()];
  for await (const entries of walkLog(server.database.as({ kind: 'system' }), recorded, { search: '' }))
    for (const { action, success, subject } of entries)
      if (success) (subject?.name ? named : bare).add(action);
  expect([...bare].filter((action) => !named.has(action) && !withoutSubject.has(action)).toSorted()).toEqual(
    [],
  );
  expect([...withoutSubject].filter((action) => named.has(action)).toSorted()).toEqual([]);
});

test('logs old and new values of each change, unless written by a person', async () => {
  const [withoutChange, withChange] = [new Set<string>(), new Set<string>()];
  for await (const entries of walkLog(server.database.as({ kind: 'system' }), recorded, { search: '' }))
    for (const { action, success, details } of entries)
      if (success && /(?:changed|edited|saved|scoped|rescheduled|_set|annotated)$/.test(action)) {
        const hasValues = 'changed' in details || /→|changed/.test(Object.values(details).join(' '));
        (hasValues ? withChange : withoutChange).add(action);
      }
  expect(
    [...withoutChange].filter((action) => !withChange.has(action) && !withoutValues.has(action)).toSorted(),
  ).toEqual([]);
  expect([...withoutValues].filter((action) => withChange.has(action)).toSorted()).toEqual([]);
});
