import fc, { type Arbitrary, type AsyncCommand, type WeightedArbitrary } from 'fast-check';
import { assert, expect } from 'vitest';
import * as model from './identity-model.ts';
import {
  type Account,
  isBrowser,
  personAt,
  type Address,
  type Browser,
  type Code,
  type Link,
  type Model,
  type Outcome,
  type Person,
  type Place,
  type Program,
  type Derives,
  type GivenStep,
  type FactorAct,
  type Provider,
  type SecondStep,
  type Unlocking,
} from './identity-model.ts';
import { foreignPasskey, toPrograms, type Result, type World } from './identity-world.ts';

export interface Step extends AsyncCommand<Model, World> {
  /** Whether it could get anywhere now. */
  fits: (m: Model) => boolean;
}

/** How many steps ran. */
export const ran = { steps: 0 };

interface Played {
  expected: Outcome;
  actual: Promise<Result>;
  /** Who acts where, if that wasn’t known before. */
  by?: string;
}

/** `play` changes the model and asks the server. Null if the step makes no sense now. */
function step(
  name: string,
  play: (m: Model, w: World) => Played | null,
  fits: Step['fits'] = () => true,
): Step {
  return {
    fits,
    check: () => true,
    toString: () => name,
    run: async (m, w) => {
      // Each app code works once.
      await pass(m, w, 31_000);
      const played = play(m, w);
      if (!played) return;
      const { expected, actual, by = '' } = played;
      const { answer, shown, requestIds } = await actual;
      w.story.push(`${by}${name} → ${answer}`);
      expect([expected.answer, toPrograms(expected.answer)]).toContain(answer);
      if (expected.shown !== undefined) w.secrets.set(expected.shown, shown!);
      const entries = await w.entriesOf(requestIds);
      expect(entries.toSorted(), 'in the audit log').toEqual((expected.entries ?? []).toSorted());
      await w.deliver(expected, m.now);
      await expectSafe(m, w);
      ran.steps += 1;
    },
  };
}

async function pass(m: Model, w: World, milliseconds: number): Promise<void> {
  const isErased = model.pass(m, milliseconds);
  w.setNow(m.now);
  if (isErased) await w.erase();
}

/** Holds after every step. */
async function expectSafe(m: Model, w: World): Promise<void> {
  const { account } = m;
  const change = model.emailChangeOf(m);
  const live = model.liveSessions(m);
  expect(await w.stored(m.now)).toEqual(
    account && {
      address: account.address,
      verified: account.verified,
      role: account.role,
      suspended: account.suspended,
      deleting: account.deleteAfter !== null,
      sessions: {
        all: live.length,
        opened: live.filter(({ opensWords }) => opensWords).length,
        waiting: live.filter(({ waitingPasskey }) => waitingPasskey !== null).length,
      },
      trusted: browsers.filter((one) => model.isTrusted(m, one)).length,
      apiTokens: m.apiTokens.length,
      emailChange: change && { to: change.to, ...change.confirmed },
      passkeys: {
        all: account.passkeys.length,
        opening: account.passkeys.filter(({ opensWords }) => opensWords).length,
      },
      words: account.words && {
        replaced: account.words.replaced,
        recoveryKey: account.words.recoveryKey !== null,
      },
      phone: account.phone?.number ?? null,
      password: account.password !== null,
      identities: [
        ...(['church', 'clinic'] as const).filter((provider) => account[provider]),
        ...(account.wallet ? ['web3'] : []),
      ],
      factor: factorState(m),
    },
  );
  let opens = m.apiTokensSeenBy.attacker.some((id) => m.apiTokens.includes(id));
  for (const place of ['stranger', 'script'] as const) {
    if (!m.cards[place]) continue;
    const { answer } = await w.look(place, { idle: true });
    expect(answer, `at the attacker’s ${place}`).toBe(model.sessionAt(m, place) ? 'signed_in' : 'guest');
    opens ||= answer === 'signed_in';
  }
  if (opens) assert.isNotEmpty([...m.exposed], 'the attacker is in, with nothing that should let them');
  for (const place of places) await expectWordsSafe(m, w, place);
}

function factorState(m: Model): string {
  const { factor } = m.account!;
  if (!factor) return 'off';
  if (!factor.byPasskey) return factor.confirmed ? 'on' : 'pending';
  return model.awaitsApp(m) ? 'passkeys and pending' : 'passkeys';
}

/** Reads the journal wherever that could have changed, and always at the attacker's places. */
async function expectWordsSafe(m: Model, w: World, place: Place): Promise<void> {
  const session = model.sessionAt(m, place);
  const expected = model.journalAt(m, place);
  const seen = session ? `${expected} in ${session.id} with ${session.token}` : expected;
  const isAttackers = personAt(place) === 'attacker';
  if (!session || (w.journalSeen.get(place) === seen && !isAttackers)) return;
  w.journalSeen.set(place, seen);
  const { answer } = await w.readJournal(place, { idle: true });
  expect(answer, `the journal at the ${place}`).toBe(expected);
  if (isAttackers && session.opensWords)
    assert.isNotEmpty([...m.exposedWords], 'the attacker reads the words, with nothing that opens them');
}

// Choices, made in words that fit every state

const places: readonly Place[] = ['laptop', 'phone', 'app', 'stranger', 'script'];
const browsers = places.filter(isBrowser);

type Find<Where> = (m: Model) => Where | undefined;

const onBrowser = fc.constantFrom<Browser[]>('laptop', 'phone', 'laptop', 'stranger');
const browser = onBrowser.map((here) => () => here);
const program = fc.constantFrom<Program[]>('app', 'script').map((here) => () => here);
const place = fc.constantFrom(...places).map((here) => () => here);

/** A place where someone is signed in, or now and then any. */
function signedInAt<Where extends Place>(among: readonly Where[]): Arbitrary<Find<Where>> {
  return fc.tuple(fc.nat({ max: 59 }), fc.integer({ min: 0, max: 15 })).map(([n, stray]) => (m) => {
    const from = stray === 15 ? among : among.filter((here) => model.sessionAt(m, here));
    return from[n % from.length];
  });
}

/** A program can send its last one again. */
function canEnterCode(m: Model, here: Place): boolean {
  if (model.codeAwaitedAt(m, here)) return true;
  return !isBrowser(here) && m.now < (m.codesUsed[here]?.expiresAt ?? 0);
}

/** Where a code can be entered, or now and then anywhere. */
const awaitingPlace = fc.nat({ max: 59 }).map((n) => (m: Model) => {
  const awaiting = places.filter((here) => canEnterCode(m, here));
  return n < 50 ? awaiting[n % awaiting.length] : places[n % places.length];
});

const signedInPlace = signedInAt(places);
const signedInBrowser = signedInAt(browsers);

/** `fitting` is what the account asks for. */
const secondSteps = [
  'fitting',
  'fitting',
  'fitting',
  'none',
  'none',
  'app',
  'backup',
  'spent',
  'wrong',
] as const;
const second = fc.constantFrom<(Code | 'fitting')[]>(...secondSteps);
type ChosenStep = Code | 'fitting' | 'trust' | 'passkey' | 'foreign passkey';
const secondAtEntry = fc.constantFrom<ChosenStep[]>(
  ...secondSteps,
  'passkey',
  'passkey',
  'foreign passkey',
  'trust',
  'trust',
);

function fittingCode(m: Model, chosen: Code | 'fitting'): Code {
  if (chosen !== 'fitting') return chosen;
  const { factor } = m.account ?? {};
  if (factor?.byPasskey) return 'backup';
  return factor?.confirmed || (factor && m.demandsFactor) ? 'app' : 'none';
}

function fittingStep(m: Model, here: Place, chosen: ChosenStep): SecondStep {
  if (chosen !== 'trust') return givenStep(m, here, chosen);
  const given = givenStep(m, here, 'fitting');
  return isBrowser(here) ? { trusting: given } : given;
}

function givenStep(m: Model, here: Place, chosen: Exclude<ChosenStep, 'trust'>): GivenStep {
  const byPasskey = chosen === 'fitting' && m.account?.factor?.byPasskey && holdsPasskey(m, here);
  if (!byPasskey && chosen !== 'passkey' && chosen !== 'foreign passkey') return fittingCode(m, chosen);
  // Programs can't ask for one.
  if (!isBrowser(here)) return 'none';
  const wanted = chosen === 'foreign passkey' ? 'foreign' : 'current';
  return { passkey: passkeyOf(m, personAt(here), wanted) };
}

const code = fc.constantFrom<Exclude<Code, 'none'>[]>('app', 'app', 'backup', 'spent', 'wrong');
const address = fc.constantFrom<Address[]>(...Array<Address>(6).fill('home'), 'other');

/** The current password if the person knows it, or one that they know from before. */
const which = fc.constantFrom<Which[]>(...Array<Which>(6).fill('current'), 'former');
type Which = 'current' | 'former';

function passwordOf(m: Model, person: Person, wanted: Which): string {
  const known = m.passwords[person];
  const current = m.account?.password?.text;
  const former = known.filter((one) => one !== current);
  return (
    (wanted === 'current' && known.find((one) => one === current)) ||
    (former.at(-1) ?? 'never-set-anywhere-1')
  );
}

/** A passkey of the account if the person holds one, one that was removed, or another account's. */
const whichPasskey = fc.constantFrom<(Which | 'foreign')[]>(
  ...Array<Which>(5).fill('current'),
  'former',
  'foreign',
);

function passkeyOf(m: Model, person: Person, wanted: Which | 'foreign'): number {
  if (wanted === 'foreign') return foreignPasskey;
  const [held, known] = [m.passkeysOf[person], m.account?.passkeys ?? []];
  const isCurrent = (one: number) => known.some(({ id }) => id === one);
  const former = held.findLast((one) => !isCurrent(one)) ?? unknownPasskey;
  return (wanted === 'current' ? held.findLast(isCurrent) : undefined) ?? former;
}

const unknownPasskey = 0;

/** With passkeys, sends neither. */
function bothSteps(m: Model, w: World, person: Person, chosen: { which: Which; code: Code }) {
  const given = { password: passwordOf(m, person, chosen.which), code: chosen.code };
  const typed = w.codeOf(m, person, chosen.code)!;
  return { given, sent: m.account?.factor?.byPasskey ? {} : { ...given, code: typed } };
}

function mayGiveBoth(m: Model, here: Place): boolean {
  return !m.account?.factor?.byPasskey || model.isFullyFreshAt(m, here);
}

function holdsPasskey(m: Model, here: Place): boolean {
  return m.account?.passkeys.some(({ id }) => m.passkeysOf[personAt(here)].includes(id)) ?? false;
}

function knowsPassword(m: Model, here: Place): boolean {
  const { password } = m.account ?? {};
  return password != null && m.passwords[personAt(here)].includes(password.text);
}

let passwords = 0;
const newPassword = (person: Person) => `${person}-sentence-${(passwords += 1)}`;

/** Links that the person saw; everyone has those that are over. `back` counts from the latest. */
function linkOf(m: Model, person: Person, kinds: readonly Link['kind'][], back: number): Link | undefined {
  const seen = m.links.filter(
    ({ kind, used, expiresAt, holders }) =>
      kinds.includes(kind) && (holders.includes(person) || used || m.now >= expiresAt),
  );
  return seen[seen.length - 1 - (back % Math.max(1, seen.length))];
}

/** `back` counts from the latest. */
function codeSeen(m: Model, person: Person, back: number): number | null {
  return m.codesSeenBy[person].toReversed()[back] ?? null;
}

const number = fc.constantFrom<Person[]>('owner', 'owner', 'attacker');

const back = fc.constantFrom(0, 0, 0, 1, 2);

/** How often a kind of step occurs, relative to others. */
type Weighted = WeightedArbitrary<Step>;

type Play<Where, Choice> = (m: Model, w: World, here: Where, chosen: Choice, person: Person) => Played | null;

/** Acts at a place with its person’s choices. */
function at<Where extends Place, Choice>(
  weight: number,
  name: string,
  where: Arbitrary<Find<Where>>,
  choice: Arbitrary<Choice>,
  play: Play<Where, Choice>,
  fits: (m: Model, here: Where) => boolean = () => true,
): Weighted {
  const arbitrary = fc.tuple(where, choice).map(([find, chosen]) => {
    const how = chosen === undefined ? '' : `: ${JSON.stringify(chosen).replaceAll(/[{}"]/g, '')}`;
    return step(
      `${name}${how}`,
      (m, w) => {
        const here = find(m);
        const played = here && play(m, w, here, chosen, personAt(here));
        return played ? { ...played, by: `${personAt(here)} at the ${here} ` } : null;
      },
      (m) => {
        const here = find(m);
        return here !== undefined && fits(m, here);
      },
    );
  });
  return { weight, arbitrary };
}

function administrator(
  weight: number,
  name: string,
  play: (m: Model, w: World) => Played,
  fits: (account: Account) => boolean = () => true,
): Weighted {
  const one = step(
    `administrator ${name}`,
    (m, w) => (m.account ? play(m, w) : null),
    (m) => m.account !== null && fits(m.account),
  );
  return { weight, arbitrary: fc.constant(one) };
}

/** The attacker gets something without the server knowing. */
function leak(weight: number, name: string, play: (m: Model, w: World) => void): Weighted {
  const one: Step = {
    fits: () => true,
    check: () => true,
    toString: () => `attacker ${name}`,
    run: async (m, w) => {
      w.story.push(`attacker ${name}`);
      play(m, w);
      await expectSafe(m, w);
    },
  };
  return { weight, arbitrary: fc.constant(one) };
}

const none = fc.constant(undefined);

const signUpStep = (here: Browser): Step =>
  step(
    `${personAt(here)} signs up: ${here}`,
    (m, w) => {
      // Other accounts that sign up are out of scope.
      if (m.account && m.account.address !== 'home') return null;
      const password = newPassword(personAt(here));
      return { expected: model.signUp(m, here, password), actual: w.signUp(here, password) };
    },
    (m) => !m.account?.password,
  );

const followStep = (here: Browser, steps = 0, reuses = false): Step => {
  const kinds = ['verify', 'reset-password', 'sign-in'] as const;
  return step(
    `${personAt(here)} follows a link: ${here} (back ${steps}${reuses ? ', with a former password' : ''})`,
    (m, w) => {
      const link = linkOf(m, personAt(here), kinds, steps);
      if (!link || (link.whose !== 'account' && m.account && m.account.address !== 'home')) return null;
      const person = personAt(here);
      const password = reuses ? passwordOf(m, person, 'former') : newPassword(person);
      const actual = w.follow(here, link, password);
      if (link.kind === 'verify') return { expected: model.followVerifyLink(m, here, link), actual };
      if (link.kind === 'sign-in') return { expected: model.followSignInLink(m, here, link), actual };
      return { expected: model.resetPassword(m, here, link, password), actual };
    },
    (m) => {
      const link = linkOf(m, personAt(here), kinds, steps);
      return link !== undefined && !link.used && m.now < link.expiresAt;
    },
  );
};

const beginFactor: Play<Browser, Which> = (m, w, here, wanted, person) => {
  const password = passwordOf(m, person, wanted);
  return { expected: model.beginFactor(m, here, password), actual: w.beginFactor(here, password) };
};

const confirmFactor: Play<Browser, Code> = (m, w, here, given, person) => {
  const typed = w.codeOf(m, person, given)!;
  return { expected: model.confirmFactor(m, here, given), actual: w.confirmFactor(here, typed) };
};

const derives = fc.constantFrom<Derives[]>('secret', 'secret', 'later', 'nothing');

const addPasskey: Play<Place, Derives> = (m, w, here, how) => {
  const id = (m.ids += 1);
  return { expected: model.addPasskey(m, here, id, how), actual: w.addPasskey(here, id, how) };
};

const signInByPassword: Play<Place, { address: Address; which: Which; second: ChosenStep }> = (
  m,
  w,
  here,
  { address: to, which: wanted, second: chosen },
  person,
) => {
  const secondStep = fittingStep(m, here, chosen);
  const password = passwordOf(m, person, wanted);
  const given = w.secondOf(m, person, secondStep);
  return {
    expected: model.signInByPassword(m, here, { address: to, password, second: secondStep }),
    actual: w.signInByPassword(here, to, password, given),
  };
};

const signInByPasskey: Play<Browser, Which> = (m, w, here, wanted, person) => {
  const passkey = passkeyOf(m, person, wanted);
  return { expected: model.signInByPasskey(m, here, passkey), actual: w.signInByPasskey(here, passkey) };
};

const confirmByPasskey: Play<Place, Which | 'foreign'> = (m, w, here, wanted, person) => {
  const passkey = passkeyOf(m, person, wanted);
  return { expected: model.confirmByPasskey(m, here, passkey), actual: w.confirmByPasskey(here, passkey) };
};

const setUpPasskeys: Play<Place, Which | 'foreign'> = (m, w, here, wanted, person) => {
  const passkey = passkeyOf(m, person, wanted);
  return { expected: model.setUpPasskeys(m, here, passkey), actual: w.setUpPasskeys(here, passkey) };
};

const beginPhone: Play<Place, undefined> = (m, w, here, _, person) => ({
  expected: model.beginPhone(m, here, person),
  actual: w.beginPhone(here, person),
});

const addPhone: Play<Place, number> = (m, w, here, steps, person) => {
  const id = codeSeen(m, person, steps);
  return { expected: model.addPhone(m, here, person, id), actual: w.addPhone(here, person, id) };
};

const disconnectIdentity: Play<Browser, Provider | 'wallet'> = (m, w, here, from) => ({
  expected: model.disconnectIdentity(m, here, from),
  actual: w.disconnectIdentity(here, from),
});

const providers: readonly Provider[] = ['church', 'clinic'];
/** What a provider says: at the clinic, now and then an address outside its domain. */
const vouchedBy = {
  church: fc.constant<Address>('home'),
  clinic: fc.constantFrom<Address[]>('home', 'home', 'home', 'other'),
};

const connectIdentity: Play<Browser, { provider: Provider; email: Address }> = (
  m,
  w,
  here,
  { provider, email },
  person,
) => ({
  expected: model.connectIdentity(m, here, provider, email),
  actual: w.connectIdentity(here, { provider, subject: person, email }),
});

const connectWallet: Play<Browser, 'own' | 'foreign'> = (m, w, here, chosen, person) => {
  const whose = chosen === 'own' ? person : chosen;
  return { expected: model.connectWallet(m, here, whose), actual: w.connectWallet(here, whose) };
};

const signInByWallet: Play<Browser, ChosenStep> = (m, w, here, chosen, person) => {
  const secondStep = fittingStep(m, here, chosen);
  const given = w.secondOf(m, person, secondStep);
  return {
    expected: model.signInByWallet(m, here, person, secondStep),
    actual: w.signInByWallet(here, person, given),
  };
};

const enterCode: Play<Place, { back: number; second: ChosenStep; again: boolean }> = (
  m,
  w,
  here,
  { back: steps, second: chosen, again },
  person,
) => {
  const secondStep = fittingStep(m, here, chosen);
  const used = again && !isBrowser(here) ? m.codesUsed[here] : undefined;
  const awaited = model.codeAwaitedAt(m, here);
  const to = used?.to ?? (typeof awaited?.to === 'string' ? awaited.to : 'home');
  const typed = { to, typed: used?.id ?? codeSeen(m, person, steps) };
  const given = w.secondOf(m, person, secondStep);
  return {
    expected: model.enterCode(m, here, { ...typed, second: secondStep }),
    actual: w.enterCode(here, typed, given),
  };
};

const askForText: Play<Place, Person> = (m, w, here, whose) => ({
  expected: model.askForText(m, here, whose),
  actual: w.askForText(here, whose),
});

const confirmByPassword: Play<Place, Which> = (m, w, here, wanted, person) => {
  const given = { password: passwordOf(m, person, wanted) };
  return { expected: model.reauthenticate(m, here, given), actual: w.reauthenticate(here, given) };
};

type Returning = { provider: Provider; email: Address; second: ChosenStep };

const signInByProvider: Play<Browser, Returning> = (
  m,
  w,
  here,
  { second: chosen, ...vouchedFor },
  person,
) => {
  const who = { ...vouchedFor, subject: person };
  const secondStep = fittingStep(m, here, chosen);
  // Other accounts that sign up are out of scope.
  if (m.account && m.account.address !== 'home' && m.account[who.provider]?.subject !== person) return null;
  const given = w.secondOf(m, person, secondStep);
  return {
    expected: model.signInByProvider(m, here, who, secondStep),
    actual: w.signInByProvider(here, who, given),
  };
};

const comeBackAgain: Play<Browser, { provider: Provider; second: ChosenStep }> = (
  m,
  w,
  here,
  { provider: from, second: chosen },
  person,
) => {
  if (!m.answers[from][here] || (m.account && m.account.address !== 'home')) return null;
  const secondStep = fittingStep(m, here, chosen);
  const given = w.secondOf(m, person, secondStep);
  return {
    expected: model.comeBackAgain(m, here, from, secondStep),
    actual: w.comeBackAgain(here, from, given),
  };
};

const bringForeignAnswer: Play<Browser, Provider> = (m, w, here, from) => {
  const others = (['laptop', 'phone', 'stranger'] as const).filter((one) => one !== here);
  const answered = others.find((one) => m.answers[from][one]);
  const actual = answered && w.bringForeignAnswer(here, from, answered);
  return actual ? { expected: model.bringForeignAnswer(), actual } : null;
};

const read: Play<Place, undefined> = (m, w, here) => ({
  expected: model.readJournal(m, here),
  actual: w.readJournal(here),
});

const write: Play<Place, undefined> = (m, w, here) => ({
  expected: model.writeJournal(m, here),
  actual: w.writeJournal(here),
});

type Opener = 'password' | 'former password' | 'recovery key' | 'passkey';
interface Unlocked {
  by: Opener;
  /** Gives the current password too, which opens them from then on. */
  rewraps: boolean;
}

/** What the person knows, or something wrong. */
function unlockingOf(m: Model, person: Person, { by, rewraps }: Unlocked): Unlocking {
  const current = { password: passwordOf(m, person, 'current') };
  if (by === 'password') return current;
  const words = m.account?.words;
  const known = m.passwords[person].find((one) => one === words?.password);
  const other = {
    'former password': { formerPassword: known ?? passwordOf(m, person, 'former') },
    'recovery key': { recoveryKey: m.recoveryKeysSeenBy[person].at(-1) ?? 0 },
    passkey: { passkey: passkeyOf(m, person, 'current') },
  }[by];
  return rewraps ? { ...current, ...other } : other;
}

const opener = fc.constantFrom<Opener[]>(
  'password',
  'password',
  'former password',
  'recovery key',
  'passkey',
);

const unlock: Play<Place, Unlocked> = (m, w, here, chosen, person) => {
  const given = unlockingOf(m, person, chosen);
  return { expected: model.unlockWords(m, here, given), actual: w.unlockWords(here, given) };
};

const renewRecoveryKey: Play<Place, undefined> = (m, w, here) => ({
  expected: model.renewRecoveryKey(m, here),
  actual: w.renewRecoveryKey(here),
});

const askForSignInLink: Play<Browser, undefined> = (m, w, here) => ({
  expected: model.askForSignInLink(m),
  actual: w.askForSignInLink(here),
});

function changeRole(m: Model, w: World): Played {
  const from = m.account!.role;
  const to = from === 'client' ? 'doctor' : 'client';
  return { expected: model.changeRole(m, to), actual: w.changeRole(from, to) };
}

const followReturnStep = (here: Browser, steps = 0): Step =>
  step(
    `${personAt(here)} follows a link back to a program: ${here} (back ${steps})`,
    (m, w) => {
      const link = linkOf(m, personAt(here), ['return'], steps);
      const actual = link && w.follow(here, link, '');
      return actual ? { expected: model.followReturnLink(m, here, link), actual } : null;
    },
    (m) => {
      const link = linkOf(m, personAt(here), ['return'], steps);
      return link !== undefined && !link.used && m.now < link.expiresAt;
    },
  );

const askForReturn: Play<Program, undefined> = (m, w, here, _, person) => {
  if (!returns(m)) return null;
  const expected = model.askForReturn(m, here);
  return { expected, actual: w.askForReturn(m.verifiersOf[person].at(-1)!) };
};

const returns = ({ account }: Model) => account?.address === 'home' && model.opensByCode(account);

const exchangeCode: Play<Program, { back: number; verifier: 'own' | 'other'; second: ChosenStep }> = (
  m,
  w,
  here,
  { back: steps, verifier: wanted, second: chosen },
  person,
) => {
  const seen = m.returnCodesSeenBy[person].toReversed()[steps] ?? 0;
  const right = m.returns.find((one) => one.code === seen)?.verifier;
  const fitting = m.verifiersOf[person].findLast((one) => (one === right) === (wanted === 'own'));
  const verifier = fitting ?? m.verifiersOf[person].at(-1) ?? 0;
  const secondStep = fittingStep(m, here, chosen);
  const given = w.secondOf(m, person, secondStep);
  return {
    expected: model.exchangeCode(m, here, { code: seen, verifier, second: secondStep }),
    actual: w.exchangeCode(here, seen, verifier, given),
  };
};

const emailWanted = fc.constantFrom<boolean[]>(...Array<boolean>(7).fill(true), false);

function emailFor(m: Model, moves: boolean): Address {
  return ((m.account?.address ?? 'home') === 'home') === moves ? 'other' : 'home';
}

const requestEmailChange: Play<Place, boolean> = (m, w, here, moves) => {
  const to = emailFor(m, moves);
  return { expected: model.requestEmailChange(m, here, to), actual: w.requestEmailChange(here, to) };
};

const confirmEmailStep = (person: Person, steps = 0): Step =>
  step(
    `${person} confirms an email: back ${steps}`,
    (m, w) => {
      const link = linkOf(m, person, ['email-change'], steps);
      const actual = link && w.confirmEmailChange(link);
      return actual ? { expected: model.confirmEmailChange(m, link), actual } : null;
    },
    (m) => {
      const link = linkOf(m, person, ['email-change'], steps);
      return link !== undefined && (steps > 0 || (!link.used && model.emailChangeOf(m)?.id === link.whose));
    },
  );

const signsUp = [signUpStep('laptop'), followStep('laptop')];
const setsUpFactor = [
  step('owner begins a second factor: laptop', (m, w) => beginFactor(m, w, 'laptop', 'current', 'owner')),
  step('owner confirms a second factor: laptop', (m, w) => confirmFactor(m, w, 'laptop', 'app', 'owner')),
];

const confirms = step('owner confirms: laptop', (m, w) =>
  confirmByPassword(m, w, 'laptop', 'current', 'owner'),
);
const usesPasskey = step('owner makes passkeys the second step: laptop', (m, w) =>
  setUpPasskeys(m, w, 'laptop', 'current', 'owner'),
);
const confirmsByPasskey = step('owner confirms by passkey: laptop', (m, w) =>
  confirmByPasskey(m, w, 'laptop', 'current', 'owner'),
);
const addsPasskey = step('owner adds a passkey: laptop', (m, w) =>
  addPasskey(m, w, 'laptop', 'secret', 'owner'),
);
/** Signing up doesn't open the words, and signing in does. */
const writes = [
  step('owner unlocks the words: laptop', (m, w) =>
    unlock(m, w, 'laptop', { by: 'password', rewraps: false }, 'owner'),
  ),
  step('owner writes in the journal: laptop', (m, w) => write(m, w, 'laptop', undefined, 'owner')),
];
const renewsRecoveryKey = step('owner renews the recovery key: laptop', (m, w) =>
  renewRecoveryKey(m, w, 'laptop', undefined, 'owner'),
);
const asksForReset = step('owner asks for a new password: laptop', (m, w) => ({
  expected: model.askForReset(m, 'home'),
  actual: w.askForReset('laptop', 'home'),
}));
const addsPhone = [
  step('owner begins a number: laptop', (m, w) => beginPhone(m, w, 'laptop', undefined, 'owner')),
  step('owner adds a number: laptop', (m, w) => addPhone(m, w, 'laptop', 0, 'owner')),
];
const disconnectsChurch = step('owner disconnects church: laptop', (m, w) =>
  disconnectIdentity(m, w, 'laptop', 'church', 'owner'),
);
const signsInByText = [
  step('owner asks for a text: phone', (m, w) => askForText(m, w, 'phone', 'owner', 'owner')),
  step('owner enters the code: phone', (m, w) =>
    enterCode(m, w, 'phone', { back: 0, second: 'none', again: false }, 'owner'),
  ),
];
const signsInByWallet = [
  step('owner connects a wallet: laptop', (m, w) => connectWallet(m, w, 'laptop', 'own', 'owner')),
  step('owner signs in by wallet: phone', (m, w) => signInByWallet(m, w, 'phone', 'none', 'owner')),
];
const asksForReturn = [
  step('owner asks to be returned: app', (m, w) => askForReturn(m, w, 'app', undefined, 'owner')),
  followReturnStep('phone'),
];
const returnsToApp = step('owner exchanges the code: app', (m, w) =>
  exchangeCode(m, w, 'app', { back: 0, verifier: 'own', second: 'none' }, 'owner'),
);
const asksForEmail = step('owner asks for another email: laptop', (m, w) =>
  requestEmailChange(m, w, 'laptop', true, 'owner'),
);
/** Then nothing but church and the passkey signs in. */
const hasNoPassword = [
  step('owner signs in at church: laptop', (m, w) =>
    signInByProvider(m, w, 'laptop', { provider: 'church', email: 'home', second: 'none' }, 'owner'),
  ),
  step('owner asks for a sign-in link: laptop', (m, w) =>
    askForSignInLink(m, w, 'laptop', undefined, 'owner'),
  ),
  followStep('laptop'),
  addsPasskey,
  step('administrator changes the role', changeRole),
  step('owner signs in by passkey: laptop', (m, w) => signInByPasskey(m, w, 'laptop', 'current', 'owner')),
  confirmsByPasskey,
];

const atClinic = { provider: 'clinic', email: 'home' } as const;
const signsInAtClinic = step('owner signs in at clinic: phone', (m, w) =>
  signInByProvider(m, w, 'phone', { ...atClinic, second: 'none' }, 'owner'),
);
const connectsClinic = step('owner connects clinic: laptop', (m, w) =>
  connectIdentity(m, w, 'laptop', atClinic, 'owner'),
);

const signsInOnPhone = (chosen: ChosenStep): Step =>
  step(`owner signs in: phone (${chosen})`, (m, w) =>
    signInByPassword(m, w, 'phone', { address: 'home', which: 'current', second: chosen }, 'owner'),
  );
const trustsPhone = [signsInOnPhone('trust'), signsInOnPhone('none')];

const demandsFactor = (demanded: boolean): Step =>
  step(
    `administrator ${demanded ? 'requires a second factor' : 'requires no second factor'}`,
    (m, w) => ({ expected: model.demandFactor(m, demanded), actual: w.demandFactor(demanded) }),
    (m) => m.demandsFactor !== demanded,
  );

/** How stories begin: mostly with an account. */
export const beginnings: readonly (readonly Step[])[] = [
  [],
  signsUp,
  signsUp,
  [...signsUp, ...setsUpFactor],
  [...signsUp, ...setsUpFactor, ...trustsPhone],
  [...signsUp, demandsFactor(true), signsInOnPhone('none'), signsInOnPhone('fitting')],
  [...signsUp, confirms, addsPasskey],
  [...signsUp, confirms, addsPasskey, ...setsUpFactor],
  [...signsUp, confirms, addsPasskey, usesPasskey, confirmsByPasskey],
  [...hasNoPassword.slice(0, 4), usesPasskey, confirmsByPasskey],
  [...signsUp, confirms, ...addsPhone, ...signsInByText],
  [...signsUp, confirms, ...signsInByWallet],
  [...signsUp, ...asksForReturn],
  [...signsUp, ...asksForReturn, returnsToApp],
  [...signsUp, confirms, asksForEmail],
  [...signsUp, confirms, asksForEmail, confirmEmailStep('owner'), confirmEmailStep('attacker')],
  hasNoPassword,
  [...hasNoPassword, disconnectsChurch],
  [signsInAtClinic],
  [...signsUp, confirms, connectsClinic, signsInAtClinic],
  [...signsUp, ...writes],
  [...signsUp, ...writes, confirms, addsPasskey],
  [...signsUp, ...writes, confirms, renewsRecoveryKey, asksForReset, followStep('phone')],
];

const entering: Weighted[] = [
  { weight: 3, arbitrary: onBrowser.map(signUpStep) },
  {
    weight: 7,
    arbitrary: fc
      .tuple(onBrowser, back, fc.integer({ min: 0, max: 7 }))
      .map(([here, steps, odd]) => followStep(here, steps, odd === 7)),
  },
  at(2, 'asks for a new password', browser, address, (m, w, here, to) => ({
    expected: model.askForReset(m, to),
    actual: w.askForReset(here, to),
  })),
  at(1, 'asks for a sign-in link', browser, none, askForSignInLink, (m) => m.account?.password === null),
  at(
    10,
    'signs in by password',
    place,
    fc.record({ address, which, second: secondAtEntry }),
    signInByPassword,
    knowsPassword,
  ),
  at(3, 'asks for a code', place, none, (m, w, here) => ({
    expected: model.askForCode(m, here),
    actual: w.askForCode(here),
  })),
  at(
    8,
    'enters a code',
    awaitingPlace,
    fc.record({ back, second: secondAtEntry, again: fc.boolean() }),
    enterCode,
    canEnterCode,
  ),
  at(8, 'asks for a text', place, number, askForText, (m) => Boolean(m.account?.phone)),
  ...providers.flatMap((from) => [
    at(
      3,
      `signs in at ${from}`,
      browser,
      fc.record({ provider: fc.constant(from), email: vouchedBy[from], second: secondAtEntry }),
      signInByProvider,
      ({ account }, here) => !account || account[from]?.subject === personAt(here),
    ),
    at(
      1,
      `comes back from ${from} again`,
      browser,
      fc.record({ provider: fc.constant(from), second: secondAtEntry }),
      comeBackAgain,
      (m, here) => m.now < (m.answers[from][here]?.expiresAt ?? 0),
    ),
    at(1, `brings another browser’s answer`, browser, fc.constant(from), bringForeignAnswer, (m) =>
      Object.values(m.answers[from]).some(({ used, expiresAt }) => !used && m.now < expiresAt),
    ),
  ]),
  at(5, 'signs in by wallet', browser, secondAtEntry, signInByWallet, (m) => Boolean(m.account?.wallet)),
  at(
    2,
    'sends the wallet’s last message again',
    browser,
    secondAtEntry,
    (m, w, here, chosen, person) => {
      if (!m.signed[here]) return null;
      const secondStep = fittingStep(m, here, chosen);
      const given = w.secondOf(m, person, secondStep);
      return {
        expected: model.sendSignedAgain(m, here, secondStep),
        actual: w.sendSignedAgain(here, given),
      };
    },
    (m, here) => m.signed[here] !== undefined && m.now < m.signed[here].expiresAt,
  ),
  at(3, 'asks to be returned', program, none, askForReturn, returns),
  { weight: 6, arbitrary: fc.tuple(onBrowser, back).map(([here, steps]) => followReturnStep(here, steps)) },
  at(
    12,
    'exchanges a code',
    program,
    fc.record({
      back,
      verifier: fc.constantFrom<('own' | 'other')[]>('own', 'own', 'own', 'other'),
      second: secondAtEntry,
    }),
    exchangeCode,
    (m, here) => m.returnCodesSeenBy[personAt(here)].length > 0,
  ),
  at(5, 'signs in by passkey', browser, which, signInByPasskey, holdsPasskey),
  at(1, 'sends the last passkey’s answer again', browser, none, (_, w, here) => {
    const actual = w.sendPasskeyAgain(here);
    return actual && { expected: model.sendPasskeyAgain(), actual };
  }),
  at(
    4,
    'gives the second step later',
    program,
    code,
    (m, w, here, given, person) => {
      if (m.waitingAt[here] === undefined) return null;
      const typed = w.codeOf(m, person, given)!;
      return { expected: model.finishSignIn(m, here, given), actual: w.finishSignIn(here, typed) };
    },
    (m, here) => m.waiting.some(({ id }) => id === m.waitingAt[here]),
  ),
  at(
    6,
    'sets up the required factor',
    program,
    none,
    (m, w, here) =>
      m.waitingAt[here] === undefined
        ? null
        : { expected: model.enrollFactor(m, here), actual: w.enrollFactor(here) },
    (m, here) => m.demandsFactor && m.waiting.some(({ id }) => id === m.waitingAt[here]),
  ),
  at(
    3,
    'refreshes',
    program,
    none,
    (m, w, here) => (m.cards[here] ? { expected: model.refresh(m, here), actual: w.refresh(here) } : null),
    (m, here) => m.cards[here] !== undefined,
  ),
];

const signedIn: Weighted[] = [
  at(1, 'looks', signedInPlace, none, (m, w, here) => ({
    expected: model.look(m, here),
    actual: w.look(here),
  })),
  at(1, 'signs out', signedInBrowser, none, (m, w, here) => ({
    expected: model.signOut(m, here),
    actual: w.signOut(here),
  })),
  at(
    2,
    'signs out elsewhere',
    signedInPlace,
    none,
    (m, w, here) => ({
      expected: model.signOutOthers(m, here),
      actual: w.signOutOthers(here),
    }),
    (m, here) => model.isFreshAt(m, here),
  ),
  at(
    2,
    'changes the password',
    signedInPlace,
    fc.record({ which, second }),
    (m, w, here, chosen, person) => {
      const { factor } = m.account ?? {};
      const isConfirmed = factor?.byPasskey && model.isFullyFreshAt(m, here) && chosen.second === 'fitting';
      const given = factor?.confirmed && !isConfirmed ? fittingCode(m, chosen.second) : 'none';
      const typed = w.codeOf(m, person, given);
      const current = passwordOf(m, person, chosen.which);
      const change = { current, next: newPassword(person), code: given };
      return {
        expected: model.changePassword(m, here, change),
        actual: w.changePassword(here, change.current, change.next, typed),
      };
    },
    knowsPassword,
  ),
  at(6, 'confirms by password', signedInPlace, which, confirmByPassword, knowsPassword),
  at(
    2,
    'confirms by code',
    signedInPlace,
    code,
    (m, w, here, given, person) => {
      const typed = w.codeOf(m, person, given)!;
      return {
        expected: model.reauthenticate(m, here, { code: given }),
        actual: w.reauthenticate(here, { code: typed }),
      };
    },
    (m) => m.account?.factor?.confirmed === true,
  ),
  at(
    4,
    'confirms by password and code',
    signedInPlace,
    fc.record({ which, code }),
    (m, w, here, chosen, person) => {
      const password = passwordOf(m, person, chosen.which);
      const typed = w.codeOf(m, person, chosen.code)!;
      return {
        expected: model.reauthenticate(m, here, { password, code: chosen.code }),
        actual: w.reauthenticate(here, { password, code: typed }),
      };
    },
    (m) => m.account?.factor?.confirmed === true,
  ),
  at(
    6,
    'confirms by passkey',
    signedInPlace,
    whichPasskey,
    confirmByPasskey,
    (m) => m.account !== null && m.account.passkeys.length > 0,
  ),
  at(
    6,
    'adds a passkey',
    signedInPlace,
    derives,
    addPasskey,
    (m, here) => model.isFullyFreshAt(m, here) && m.account!.passkeys.length < 3,
  ),
  at(
    14,
    'removes a passkey',
    signedInPlace,
    back,
    (m, w, here, steps) => {
      const id = m.account?.passkeys.at(-1 - steps)?.id ?? unknownPasskey;
      return { expected: model.removePasskey(m, here, id), actual: w.removePasskey(here, id) };
    },
    (m, here) => model.isFullyFreshAt(m, here) && m.account!.passkeys.length > 0,
  ),
  at(
    4,
    'begins a second factor',
    signedInBrowser,
    which,
    beginFactor,
    (m, here) =>
      knowsPassword(m, here) &&
      (m.account!.factor?.byPasskey ? model.isFullyFreshAt(m, here) : !m.account!.factor?.confirmed),
  ),
  at(
    6,
    'makes passkeys the second step',
    signedInPlace,
    whichPasskey,
    setUpPasskeys,
    ({ account }) => account !== null && account.passkeys.length > 0 && !account.factor?.confirmed,
  ),
  at(
    2,
    'manages the second factor',
    signedInAt<Program>(['app', 'script']),
    fc.constantFrom<FactorAct[]>('enroll', 'challenge', 'verify'),
    (m, w, here, act) =>
      m.account?.factor?.byPasskey
        ? { expected: model.manageFactor(m, here, act), actual: w.manageFactor(here, act) }
        : null,
    (m) => m.account?.factor?.byPasskey === true,
  ),
  at(9, 'confirms a second factor', signedInBrowser, code, confirmFactor, model.awaitsApp),
  at(
    1,
    'removes a second factor',
    signedInBrowser,
    fc.record({ which, code }),
    (m, w, here, chosen, person) => {
      const { given, sent } = bothSteps(m, w, person, chosen);
      return { expected: model.removeFactor(m, here, given), actual: w.removeFactor(here, sent) };
    },
    (m, here) => Boolean(m.account?.factor) && mayGiveBoth(m, here),
  ),
  at(
    2,
    'renews backup codes',
    signedInBrowser,
    fc.record({ which, code }),
    (m, w, here, chosen, person) => {
      const { given, sent } = bothSteps(m, w, person, chosen);
      return { expected: model.renewBackupCodes(m, here, given), actual: w.renewBackupCodes(here, sent) };
    },
    (m, here) => m.account?.factor?.confirmed === true && mayGiveBoth(m, here),
  ),
  at(
    8,
    'forgets a trusted device',
    signedInPlace,
    fc.constantFrom<Browser[]>('laptop', 'phone', 'phone', 'stranger'),
    (m, w, here, device) => ({
      expected: model.forgetDevice(m, here, device),
      actual: w.forgetDevice(here, device),
    }),
    (m) => browsers.some((one) => model.isTrusted(m, one)),
  ),
  at(
    5,
    'creates an API token',
    signedInPlace,
    none,
    (m, w, here) => ({
      expected: model.createApiToken(m, here),
      actual: w.createApiToken(here),
    }),
    (m, here) => model.isFullyFreshAt(m, here),
  ),
  at(
    1,
    'revokes an API token',
    signedInPlace,
    none,
    (m, w, here, _, person) => {
      const id = m.apiTokensSeenBy[person].at(-1) ?? 0;
      return { expected: model.revokeApiToken(m, here, id), actual: w.revokeApiToken(here, id) };
    },
    (m) => m.apiTokens.length > 0,
  ),
  at(
    2,
    'uses an API token',
    signedInPlace,
    back,
    (m, w, _here, steps, person) => {
      const id = m.apiTokensSeenBy[person].toReversed()[steps] ?? 0;
      return { expected: model.tryApiToken(m, id), actual: w.tryApiToken(id) };
    },
    (m, here) => m.apiTokensSeenBy[personAt(here)].length > 0,
  ),
  ...providers.flatMap((from) => [
    at(
      4,
      `connects ${from}`,
      signedInBrowser,
      fc.record({ provider: fc.constant(from), email: vouchedBy[from] }),
      connectIdentity,
      (m, here) => !m.account?.[from] && model.isFullyFreshAt(m, here),
    ),
    at(
      4,
      `disconnects ${from}`,
      signedInBrowser,
      fc.constant(from),
      disconnectIdentity,
      (m, here) => Boolean(m.account?.[from]) && model.isFullyFreshAt(m, here),
    ),
  ]),
  at(
    5,
    'begins a number',
    signedInPlace,
    none,
    beginPhone,
    (m, here) => model.isFullyFreshAt(m, here) && !m.account!.phone && knowsPassword(m, here),
  ),
  at(
    14,
    'adds a number',
    signedInPlace,
    back,
    addPhone,
    (m, here) => model.isFullyFreshAt(m, here) && m.codes.some(({ to }) => typeof to === 'object'),
  ),
  at(
    14,
    'removes a number',
    signedInPlace,
    none,
    (m, w, here) => ({ expected: model.removePhone(m, here), actual: w.removePhone(here) }),
    (m, here) => model.isFullyFreshAt(m, here) && m.account!.phone !== null,
  ),
  at(
    6,
    'connects a wallet',
    signedInBrowser,
    fc.constantFrom<('own' | 'foreign')[]>('own', 'own', 'foreign'),
    connectWallet,
    (m, here) => model.isFullyFreshAt(m, here) && !m.account!.wallet,
  ),
  at(
    14,
    'disconnects the wallet',
    signedInBrowser,
    fc.constant('wallet' as const),
    disconnectIdentity,
    (m, here) => model.isFullyFreshAt(m, here) && Boolean(m.account!.wallet),
  ),
  at(8, 'asks for another email', signedInPlace, emailWanted, requestEmailChange, (m, here) =>
    model.isFullyFreshAt(m, here),
  ),
  at(
    2,
    'asks for another email with the password',
    signedInAt<Program>(['app', 'script']),
    fc.record({ which, moves: emailWanted }),
    (m, w, here, { which: wanted, moves }, person) => {
      const [to, current] = [emailFor(m, moves), passwordOf(m, person, wanted)];
      return {
        expected: model.requestEmailChangeByPassword(m, here, to, current),
        actual: w.requestEmailChangeByPassword(here, to, current),
      };
    },
    knowsPassword,
  ),
  at(
    3,
    'asks for the email’s links again',
    signedInPlace,
    none,
    (m, w, here) => ({ expected: model.resendEmailChange(m, here), actual: w.resendEmailChange(here) }),
    (m) => model.emailChangeOf(m) !== null,
  ),
  at(
    2,
    'cancels the email change',
    signedInPlace,
    none,
    (m, w, here) => ({ expected: model.cancelEmailChange(m, here), actual: w.cancelEmailChange(here) }),
    (m) => model.emailChangeOf(m) !== null,
  ),
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.constantFrom<Person[]>('owner', 'attacker'), back)
      .map(([person, steps]) => confirmEmailStep(person, steps)),
  },
  at(2, 'reads the journal', signedInPlace, none, read),
  at(
    3,
    'writes in the journal',
    signedInPlace,
    none,
    write,
    ({ account }) => account?.words?.written === false,
  ),
  at(
    10,
    'unlocks the words',
    signedInPlace,
    fc.record({ by: opener, rewraps: fc.boolean() }),
    unlock,
    (m, here) => model.sessionAt(m, here)?.opensWords === false && isBrowser(here),
  ),
  at(
    4,
    'renews the recovery key',
    signedInPlace,
    none,
    renewRecoveryKey,
    (m, here) => model.isFreshAt(m, here) && model.sessionAt(m, here)!.opensWords,
  ),
  at(
    12,
    'starts the journal over',
    signedInPlace,
    none,
    (m, w, here) => ({ expected: model.startOver(m, here), actual: w.startOver(here) }),
    (m, here) => {
      const { words, passkeys } = m.account ?? {};
      const isOfUse = words?.replaced || passkeys?.some(({ opensWords }) => opensWords);
      return model.isFreshAt(m, here) && Boolean(isOfUse);
    },
  ),
  at(
    1,
    'asks to delete the account',
    signedInBrowser,
    which,
    (m, w, here, wanted, person) => {
      const password = passwordOf(m, person, wanted);
      return {
        expected: model.requestDeletion(m, here, password),
        actual: w.requestDeletion(here, password),
      };
    },
    knowsPassword,
  ),
  at(
    1,
    'keeps the account',
    signedInBrowser,
    none,
    (m, w, here) => ({
      expected: model.keepAccount(m, here),
      actual: w.keepAccount(here),
    }),
    (m) => m.account?.deleteAfter != null,
  ),
];

const byAdministrators: Weighted[] = [
  { weight: 2, arbitrary: fc.constantFrom(true, false).map(demandsFactor) },
  administrator(
    4,
    'reactivates',
    (m, w) => ({ expected: model.reactivate(m), actual: w.reactivate() }),
    ({ suspended }) => suspended,
  ),
  administrator(
    1,
    'suspends',
    (m, w) => ({ expected: model.suspend(m), actual: w.suspend() }),
    ({ suspended }) => !suspended,
  ),
  administrator(1, 'changes the role', changeRole),
  administrator(
    1,
    'resets the second factor',
    (m, w) => ({
      expected: model.resetFactor(m),
      actual: w.resetFactor(),
    }),
    ({ factor }) => factor !== null,
  ),
  administrator(1, 'revokes an API token', (m, w) => {
    const id = m.apiTokens[0] ?? 0;
    return { expected: model.revokeApiTokenOf(m, id), actual: w.revokeApiTokenOf(id) };
  }),
  ...(['home', 'other'] as const).map((to) =>
    administrator(
      1,
      `changes the address: ${to}`,
      (m, w) => ({
        expected: model.changeAddress(m, to),
        actual: w.changeAddress(to),
      }),
      (account) => account.address !== to,
    ),
  ),
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom<Person[]>('owner', 'owner', 'attacker'), fc.boolean(), back)
      .map(([person, undoes, steps]) =>
        step(`${person} ${undoes ? 'undoes' : 'confirms'} a change of address: back ${steps}`, (m, w) => {
          const link = linkOf(m, person, ['address-change'], steps);
          if (!link) return null;
          const actual = w.settleAddressChange(undoes ? 'undo' : 'confirm', link);
          const expected = undoes
            ? model.undoAddressChange(m, person, link)
            : model.confirmAddressChange(m, link);
          return { expected, actual };
        }),
      ),
  },
];

const leaks: Weighted[] = [
  leak(3, 'learns the password', (m) => model.learnPassword(m)),
  leak(3, 'copies the laptop’s cookie', (m, w) => {
    if (!m.cards.laptop) return;
    model.copyCard(m, 'laptop', 'stranger');
    w.copyCookie('laptop', 'stranger');
  }),
  leak(3, 'copies the app’s tokens', (m, w) => {
    if (!m.cards.app) return;
    model.copyCard(m, 'app', 'script');
    w.copyTokens('app', 'script');
  }),
  leak(1, 'learns the second factor', (m) => model.learnFactor(m)),
  leak(2, 'reads the latest link', (m) => model.learnLatestLink(m)),
  leak(2, 'copies the latest API token', (m) => model.learnApiToken(m)),
  leak(1, 'copies the recovery key', (m) => model.learnRecoveryKey(m)),
  leak(2, 'reads the latest code', (m) => model.learnLatestCode(m)),
  leak(3, 'steals the latest code on its way to a program', (m) => model.learnLatestReturnCode(m)),
];

const spans = {
  '6 minutes': 6,
  '31 minutes': 31,
  '2 hours': 2 * 60,
  '25 hours': 25 * 60,
  '73 hours': 73 * 60,
  '15 days': 15 * 24 * 60,
};

const time: Weighted = {
  weight: 2,
  arbitrary: fc.constantFrom(...(Object.keys(spans) as (keyof typeof spans)[])).map((span) => ({
    fits: () => true,
    check: () => true,
    toString: () => `${span} pass`,
    run: (m, w) => {
      w.story.push(`${span} pass`);
      return pass(m, w, spans[span] * 60_000);
    },
  })),
};

/** Steps that could get somewhere, and now and then one that can’t. */
export const steps: Arbitrary<Step> = fc
  .tuple(
    fc.integer({ min: 0, max: 15 }),
    fc.oneof(...entering, ...signedIn, ...byAdministrators, ...leaks, time),
  )
  .map(([odd, one]) => ({ ...one, check: (m) => odd === 15 || one.fits(m) }));
