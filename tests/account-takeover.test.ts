import fc, { type AsyncCommand } from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { afterAll, assert, beforeEach, expect, inject, test } from 'vitest';
import { reactionsOf } from '#/app/reactions.ts';
import { changeAddress, undoAddressChange } from '#/features/accounts/address-change/commands.ts';
import { createAccount, deleteExpired, makeLinkToken } from '#/features/accounts/commands.ts';
import { createIdentity, type Identity } from '#/features/accounts/endpoints/commands.ts';
import type { SetUp } from '#/features/accounts/second-factor/contract.ts';
import { createUnclaimed } from '#/features/accounts/unclaimed/commands.ts';
import { acceptClaim, issueClaim } from '#/features/care/claims/commands.ts';
import { addProvider } from '#/features/providers/applications/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Config } from '#/platform/config.ts';
import type { Events, ProcessContext } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { openLog } from '#/platform/log.ts';
import { silentParts, testDatabase } from './support/database.ts';
import { appUrl } from './support/identity.ts';
import { openTestProvider } from './support/openid.ts';
import { addClient, addProvider as addSpecialist } from './support/people.ts';
import { proving, sampleOf } from './support/prove.ts';

const runs = proving ? 400 : 12;
const seed = inject('seed');

const database = await testDatabase({ poolSize: 2 });
const { db, readMails } = database;
const reactions = reactionsOf({ ...silentParts, appUrl });
const specialist = await addSpecialist(db);
const chief = { ...(await addClient(db)), role: 'super_admin' } as const;

type Browser = 'laptop' | 'phone' | 'stranger';
type OwnBrowser = Exclude<Browser, 'stranger'>;

interface Model {
  /** Latest password whose owner has proven access to the mailbox. */
  proven: string | null;
  /** Latest pending sign-up password per browser. */
  pending: Record<OwnBrowser, string | null>;
}

interface World {
  email: string;
  identity: Identity;
  cookies: Record<Browser, Map<string, string>>;
  /** Claim link tokens emailed to the address after a specialist's booking. */
  claims: string[];
  strangersPasswords: Set<string>;
  /** Queues events until their emails are written. */
  emit: ProcessContext['emit'];
  deliver: () => Promise<void>;
}

let now = Temporal.Instant.from('2026-03-02T12:00:00Z');
const pass = (span: Temporal.DurationLike) => {
  now = now.add(span);
  database.setNow(now.toString());
};

const noProviders: Config['openIdProviders'] = [];

let worlds = 0;
async function makeWorld(administers: boolean, demanded: boolean, providers = noProviders): Promise<World> {
  const email = `owner${(worlds += 1)}@italk.test`;
  const waiting: { event: keyof Events; payload: Events[keyof Events] }[] = [];
  const base: ProcessContext = {
    ...database.as({ kind: 'guest' }),
    emit: (_tx, event, payload) => {
      waiting.push({ event, payload });
      return Promise.resolve();
    },
  };
  const adminEmails = administers ? [email] : [];
  const config = {
    mode: 'production',
    appUrl,
    authSecret: 'x'.repeat(40),
    adminEmails,
    openIdProviders: providers,
    samlProviders: [],
    sms: null,
    programRedirects: [],
    walletSignIn: false,
    rateLimitFactor: 10_000,
  } as const;
  await db.updateTable('site_settings').set({ require_two_factor: demanded }).execute();
  await db
    .updateTable('feature_flags')
    .set({ enabled: demanded, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
  return {
    email,
    identity: createIdentity({ base, config, log: openLog('silent') }),
    cookies: { laptop: new Map(), phone: new Map(), stranger: new Map() },
    claims: [],
    strangersPasswords: new Set(),
    emit: base.emit,
    deliver: async () => {
      for (const { event, payload } of waiting.splice(0))
        for (const one of reactions.filter((reaction) => reaction.event === event))
          await one.handle({ ...database.as({ kind: 'job', name: one.name }), emit: base.emit }, payload, {
            id: base.newId(),
            requestId: 'test',
          });
    },
  };
}

interface Answer {
  status: number;
  signedIn?: boolean;
  resetToken?: string;
  continueAt?: string;
  secondStep?: { setUp: SetUp | null };
}

async function ask(world: World, browser: Browser, path: string, body: object): Promise<Answer> {
  const jar = world.cookies[browser];
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = new Request(`${appUrl}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  const response = await world.identity.handler(request, { address: '198.51.100.7', requestId: 'test' });
  for (const set of response.headers.getSetCookie()) {
    const [name, value] = set.split(';')[0]!.split('=') as [string, string];
    jar.set(name, value);
  }
  expect(response.status, `${path} by ${browser}`).toBeLessThan(500);
  await world.deliver();
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
}

const signIn = (world: World, browser: Browser, password: string, code?: string) =>
  ask(world, browser, '/sign-in/email', { email: world.email, password, ...(code ? { code } : {}) });

/** Tries every password the stranger knows, setting up a second factor wherever offered. */
async function strangerSignsIn(world: World): Promise<void> {
  for (const password of world.strangersPasswords) {
    const answer = await signIn(world, 'stranger', password);
    const setUp = answer.secondStep?.setUp;
    if (setUp) {
      const totp = new TOTP({ secret: Secret.fromBase32(setUp.secret) });
      await signIn(world, 'stranger', password, totp.generate({ timestamp: now.epochMilliseconds }));
    }
    expect(answer.status, 'a stranger’s password is taken').not.toBe(200);
  }
}

/** Links in this mailbox, newest first. */
async function linksIn({ email: address }: { email: string }): Promise<{ path: string; token: string }[]> {
  const mails = (await readMails((rows) => rows.where('recipient', '=', address))).toReversed();
  return mails.flatMap(({ text_body: text }) => {
    const [, path, token] = /\/(verify|reset-password|sign-in-link)(?:\?[^#\s]*)?#([\w-]+)/.exec(text) ?? [];
    return path && token ? [{ path, token }] : [];
  });
}

/** Sign-in codes in this mailbox, newest first. */
async function codesIn({ email: address }: { email: string }): Promise<string[]> {
  const mails = (await readMails((rows) => rows.where('recipient', '=', address))).toReversed();
  return mails.flatMap(({ text_body: text }) => /\/sign-in-code\?\S*#(\d+)/.exec(text)?.[1] ?? []);
}

/** Follows a sign-in link, which works only until the owner proves a password. */
async function signInByLink(
  model: Model,
  world: World,
  browser: OwnBrowser,
  token: string,
  chooses: boolean,
): Promise<void> {
  const answer = await ask(world, browser, '/sign-in/link', { token });
  if (answer.signedIn || answer.resetToken !== undefined)
    assert.equal(model.proven, null, 'a link lets nobody in past a password');
  if (answer.resetToken !== undefined && chooses)
    await choosePassword(model, world, browser, answer.resetToken, fresh('owner'));
}

async function choosePassword(
  model: Model,
  world: World,
  browser: OwnBrowser,
  token: string,
  newPassword: string,
): Promise<void> {
  const { status } = await ask(world, browser, '/reset-password', { token, newPassword });
  expect([200, 412]).toContain(status);
  if (status === 200) model.proven = newPassword;
}

async function expectSafe(model: Model, world: World): Promise<void> {
  await strangerSignsIn(world);
  const cookie = [...world.cookies.stranger].map(([name, value]) => `${name}=${value}`).join('; ');
  expect(await world.identity.actorOf(new Headers({ cookie })), 'a stranger’s session').toEqual({
    kind: 'guest',
  });
  if (model.proven !== null) {
    const { status } = await signIn(world, 'laptop', model.proven);
    assert.equal(status, 200, 'the owner’s own password works');
  }
}

type Step = AsyncCommand<Model, World>;

function step(name: string, run: (model: Model, world: World) => Promise<unknown>): Step {
  return {
    check: () => true,
    run: async (model, world) => {
      // App codes are single-use.
      pass({ seconds: 31 });
      await run(model, world);
      await expectSafe(model, world);
    },
    toString: () => name,
  };
}

const email = ({ email: address }: World) => ({ email: address });
const ownBrowser = fc.constantFrom<OwnBrowser[]>('laptop', 'phone');
let passwords = 0;
const fresh = (whose: string) => `${whose}-password-${(passwords += 1)}`;

/** Steps that start every takeover. */
const core: fc.Arbitrary<Step>[] = [
  fc.constant(
    step('the stranger signs up', async (_model, world) => {
      const password = fresh('stranger');
      world.strangersPasswords.add(password);
      await ask(world, 'stranger', '/sign-up/email', { ...email(world), name: 'A Stranger', password });
    }),
  ),
  ownBrowser.map((browser) =>
    step(`the owner signs up on the ${browser}`, async (model, world) => {
      const password = fresh('owner');
      const { status } = await ask(world, browser, '/sign-up/email', {
        ...email(world),
        name: 'Ruth Amsel',
        password,
      });
      assert.equal(status, 200);
      model.pending[browser] = password;
      // A pending password neither signs in nor causes errors.
      assert.notEqual((await signIn(world, browser, password)).status, 200);
    }),
  ),
  fc
    .record({ browser: ownBrowser, back: fc.nat({ max: 4 }), chooses: fc.boolean() })
    .map(({ browser, back, chooses }) =>
      step(
        `the owner follows the link of mail ${back} from the end on the ${browser}${chooses ? ' and chooses a password' : ''}`,
        async (model, world) => {
          const links = await linksIn(world);
          const link = links[back % Math.max(1, links.length)];
          if (!link) return;
          if (link.path === 'reset-password') {
            if (chooses) await choosePassword(model, world, browser, link.token, fresh('owner'));
            return;
          }
          if (link.path === 'sign-in-link') return signInByLink(model, world, browser, link.token, chooses);
          const answer = await ask(world, browser, '/verify-email', { token: link.token });
          const pending = model.pending[browser];
          if (answer.signedIn) {
            assert.notEqual(pending, null, 'who is signed in by a link signed up in that browser');
            assert.equal(model.proven, null, 'a link replaces no password that was proven');
          }
          if (answer.resetToken !== undefined) {
            if (chooses) await choosePassword(model, world, browser, answer.resetToken, fresh('owner'));
          } else if (answer.status === 200 && pending !== null && model.proven === null) {
            model.proven = pending;
            model.pending[browser] = null;
          }
        },
      ),
    ),
];

const others: fc.Arbitrary<Step>[] = [
  fc.constant(
    step('the stranger asks for the link again', (_model, world) =>
      ask(world, 'stranger', '/send-verification-email', email(world)),
    ),
  ),
  fc.constant(
    step('the stranger asks for a new password', (_model, world) =>
      ask(world, 'stranger', '/request-password-reset', email(world)),
    ),
  ),
  ownBrowser.map((browser) =>
    step(`the owner asks for the link again on the ${browser}`, (_model, world) =>
      ask(world, browser, '/send-verification-email', email(world)),
    ),
  ),
  ownBrowser.map((browser) =>
    step(`the owner asks for a new password on the ${browser}`, (_model, world) =>
      ask(world, browser, '/request-password-reset', email(world)),
    ),
  ),
  fc.constant(
    step('an administrator lists the owner as a specialist, or invites them', async (_model, world) => {
      const type = 'doctor' as const;
      const words = { fullName: 'Ruth Amsel', phone: '', specialization: 'Grief', experience: '', bio: '' };
      const more = { education: [], location: 'Boston', serviceIds: [], languages: [], existing: true };
      const ctx = { ...database.as(chief), emit: world.emit };
      await addProvider(ctx, { ...words, ...more, type, ...email(world) }).catch(() => null);
      await world.deliver();
    }),
  ),
  fc.constant(
    step('the owner books without an account', async (_model, world) => {
      const holder = await db
        .selectFrom('users')
        .select('id')
        .where('email', '=', world.email)
        .executeTakeFirst();
      const guest = database.as({ kind: 'guest' });
      const id =
        holder?.id ??
        (await createAccount(guest, { ...email(world), name: 'Ruth', role: 'client', emailVerified: true }));
      const token = await makeLinkToken(guest, 'sign-in', id);
      await ask(world, 'laptop', '/sign-in/link', { token });
    }),
  ),
  fc.constantFrom({ hours: 2 }, { hours: 25 }, { hours: 24 * 9 }).map((span) =>
    step(`${span.hours} hours pass`, async (model) => {
      pass(span);
      if (span.hours > 24 * 7) model.pending = { laptop: null, phone: null };
      await deleteExpired(database.as({ kind: 'job', name: 'tidy' }));
    }),
  ),
];

/** Core steps are as likely as the rest combined: dangerous orders are rare otherwise. */
const steps = [...core, ...core, ...core, ...core, ...others];

/** Newer entry points: sign-in links, specialist bookings, and address changes with undo. */
const newerSteps: fc.Arbitrary<Step>[] = [
  fc.constant(
    step('the stranger asks for a sign-in link', (_model, world) =>
      ask(world, 'stranger', '/request-sign-in-link', email(world)),
    ),
  ),
  fc.constant(
    step(
      'the stranger asks for a code, and enters guesses and those the owner got',
      async (_model, world) => {
        const owners = await codesIn(world);
        await ask(world, 'stranger', '/request-sign-in-code', email(world));
        for (const emailCode of [...owners.slice(0, 2), '000000', '123456'])
          assert.notEqual((await ask(world, 'stranger', '/sign-in/code', { emailCode })).status, 200);
      },
    ),
  ),
  ownBrowser.map((browser) =>
    step(`the owner signs in with a code on the ${browser}`, async (_model, world) => {
      const before = await codesIn(world);
      const asked = await ask(world, browser, '/request-sign-in-code', email(world));
      assert.equal(asked.status, 200);
      const codes = await codesIn(world);
      if (codes.length === before.length) return;
      const emailCode = codes[0]!;
      assert.equal((await ask(world, 'stranger', '/sign-in/code', { emailCode })).status >= 400, true);
      const { secondStep, signedIn } = await ask(world, browser, '/sign-in/code', { emailCode });
      assert.equal(signedIn === true || secondStep !== undefined, true, 'the owner’s code is taken');
      if (!secondStep?.setUp) return;
      const totp = new TOTP({ secret: Secret.fromBase32(secondStep.setUp.secret) });
      const code = totp.generate({ timestamp: now.epochMilliseconds });
      assert.equal((await ask(world, browser, '/sign-in/code', { emailCode, code })).signedIn, true);
    }),
  ),
  fc.constant(
    step('a specialist books for the owner, who gets a link', async (_model, world) => {
      const system = database.as({ kind: 'system' });
      const id = await createUnclaimed(system, { name: 'Ruth', timeZone: 'America/New_York' });
      const at = new Date(now.epochMilliseconds);
      const record = { person_id: id, provider_id: specialist.id, idempotency_key: system.newId() };
      const invited = {
        ...email(world),
        phone: null,
        sends: 1,
        sent_at: at,
        created_at: at,
      };
      await db
        .insertInto('client_records')
        .values({ ...record, ...invited })
        .execute();
      world.claims.push((await transact(system, (tx) => issueClaim(tx, id)))!.token);
    }),
  ),
  fc
    .record({ browser: ownBrowser, back: fc.nat({ max: 2 }), chooses: fc.boolean() })
    .map(({ browser, back, chooses }) =>
      step(`the owner accepts a specialist’s invitation on the ${browser}`, async (model, world) => {
        const token = world.claims.toReversed()[back % Math.max(1, world.claims.length)];
        if (token === undefined) return;
        const accepted = await acceptClaim(database.as({ kind: 'guest' }), token).catch((error: unknown) => {
          if (error instanceof AppError) return null;
          throw error;
        });
        if (accepted?.signInToken) await signInByLink(model, world, browser, accepted.signInToken, chooses);
      }),
    ),
  fc.boolean().map((chooses) =>
    step(
      'an administrator changes the address to a stranger’s, and the owner undoes it',
      async (model, world) => {
        const holder = await db
          .selectFrom('users')
          .select('id')
          .where('email', '=', world.email)
          .where('email_verified', '=', true)
          .executeTakeFirst();
        if (!holder) return;
        const to = `of.a.stranger.${(worlds += 1)}@italk.test`;
        const ctx = { ...database.as(chief), emit: world.emit };
        const outcome = await transact(ctx, (tx) => changeAddress(tx, { userId: holder.id, to }));
        assert(outcome.kind === 'held' && outcome.token !== null);
        await ask(world, 'stranger', '/request-password-reset', { email: to });
        await ask(world, 'stranger', '/request-sign-in-link', { email: to });
        const newPassword = fresh('stranger');
        world.strangersPasswords.add(newPassword);
        for (const { path, token } of await linksIn({ email: to })) {
          const [way, body] =
            path === 'sign-in-link' ? ['/sign-in/link', { token }] : [`/${path}`, { token, newPassword }];
          assert.equal((await ask(world, 'stranger', way, body)).status, 403);
        }
        const { resetToken } = await undoAddressChange(ctx, outcome.token);
        if (chooses) await choosePassword(model, world, 'laptop', resetToken, fresh('owner'));
      },
    ),
  ),
];

beforeEach(() => database.setNow(now.toString()));

const ways = [
  ['by sign-up, link, reset, invitation and booking', steps],
  ['with the links that sign in and addresses that change, too', [...steps, ...newerSteps]],
] as const;

test.each(ways)(
  'denies the account to anyone without the mailbox, in any order of steps: %s',
  async (_, taken) => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands([...taken], { size: 'max', maxCommands: 14 }),
        fc.boolean(),
        fc.boolean(),
        (commands, administers, demanded) =>
          fc.asyncModelRun(
            async () => ({
              model: { proven: null, pending: { laptop: null, phone: null } },
              real: await makeWorld(administers, demanded),
            }),
            commands,
          ),
      ),
      { numRuns: runs, seed, endOnFailure: false },
    );
  },
);

const church = await openTestProvider();
afterAll(() => church.close());

async function comeFromChurch(world: World, browser: Browser, emailVerified: boolean): Promise<Answer> {
  const { continueAt } = await ask(world, browser, '/request-provider', { provider: 'church' });
  const subject = `${browser} of ${world.email}`;
  const answer = church.visit(continueAt!, { subject, email: world.email, emailVerified });
  return ask(world, browser, '/sign-in/provider', { provider: 'church', answer });
}

const openings: Readonly<Record<string, (model: Model, world: World) => Promise<unknown>>> = {
  'the stranger signs up': (_, world) => {
    const password = fresh('stranger');
    world.strangersPasswords.add(password);
    return ask(world, 'stranger', '/sign-up/email', { ...email(world), name: 'A Stranger', password });
  },
  'the owner comes from the provider': async (_, world) => {
    expect([200, 409]).toContain((await comeFromChurch(world, 'phone', true)).status);
  },
  'the owner follows every mailed link': async (model, world) => {
    for (const { path, token } of await linksIn(world)) {
      if (path === 'reset-password') continue;
      const way = path === 'verify' ? '/verify-email' : '/sign-in/link';
      const { resetToken } = await ask(world, 'laptop', way, { token });
      if (resetToken) await choosePassword(model, world, 'laptop', resetToken, fresh('owner'));
    }
  },
  'the owner enters a mailed code': async (_, world) => {
    await ask(world, 'laptop', '/request-sign-in-code', email(world));
    const [emailCode] = await codesIn(world);
    if (emailCode) await ask(world, 'laptop', '/sign-in/code', { emailCode });
  },
  'the owner resets the password': async (model, world) => {
    await ask(world, 'laptop', '/request-password-reset', email(world));
    const link = (await linksIn(world)).find(({ path }) => path === 'reset-password');
    if (link) await choosePassword(model, world, 'laptop', link.token, fresh('owner'));
  },
};

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((first) => ordersOf(all.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

test('denies the account in every order of sign-up, provider, link, code and reset', async () => {
  const shared = await makeWorld(false, false, [church.config]);
  const checked = new Set<string>();
  for (const order of sampleOf(ordersOf(Object.keys(openings)), 16)) {
    const cookies = { laptop: new Map(), phone: new Map(), stranger: new Map() };
    const world: World = {
      ...shared,
      email: `owner${(worlds += 1)}@italk.test`,
      cookies,
      strangersPasswords: new Set(),
    };
    const model: Model = { proven: null, pending: { laptop: null, phone: null } };
    for (const [at, name] of order.entries()) {
      pass({ seconds: 31 });
      await openings[name]!(model, world);
      const story = order.slice(0, at + 1).join(', ');
      if (checked.has(story)) continue;
      checked.add(story);
      expect((await comeFromChurch(world, 'stranger', false)).status, story).not.toBe(200);
      await expectSafe(model, world);
    }
    // Choosing a password disconnected the provider.
    const { signedIn } = await comeFromChurch(world, 'phone', true);
    expect(signedIn === true || model.proven !== null, order.join(', ')).toBe(true);
  }
});
