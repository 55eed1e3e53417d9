/** What an account's identity should be after each command, as the decisions 0008 and 0028 to 0035 have it. */

import { isDeepStrictEqual } from 'node:util';

export type Person = 'owner' | 'attacker';
export type Browser = 'laptop' | 'phone' | 'stranger';
export type Program = 'app' | 'script';
export type Place = Browser | Program;
export type Address = 'home' | 'other';
/** By OpenID Connect and by SAML. */
export type Provider = 'church' | 'clinic';

/** The attacker's mailbox is `other`. */
export function personAt(place: Place): Person {
  return place === 'stranger' || place === 'script' ? 'attacker' : 'owner';
}

export function isBrowser(place: Place): place is Browser {
  return place !== 'app' && place !== 'script';
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Session {
  id: number;
  startedAt: number;
  usedAt: number;
  /** When its person last confirmed their identity. */
  freshAt: number | null;
  /** When they last did so with every factor. */
  fullyFreshAt: number | null;
  /** When a program verified its code. */
  factorAt: number | null;
  /** The linked identity or wallet that opened it. */
  identity: number | null;
  /** The passkey that opened it, alone or as the second step. */
  passkey: number | null;
  /** Whether a texted code opened it. */
  byPhone: boolean;
  /** The browser that opened it. */
  device: Browser | null;
  /** Whether it opens the author's words. */
  opensWords: boolean;
  /** A passkey whose secret waits there until another one opens the words. */
  waitingPasskey: number | null;
  /** Of a browser's cookie or a program's refresh token; earlier ones are worth nothing. */
  token: number;
}

/** What opens a session at a place: perhaps a copy, perhaps an old one. */
interface Card {
  session: number;
  token: number;
  issuedAt: number;
}

export interface Link {
  id: number;
  kind: 'verify' | 'reset-password' | 'sign-in' | 'address-change' | 'email-change' | 'return';
  /** A sign-up's id, that of a sign-in that returns to a program or of an email change, or the account. */
  whose: number | 'account';
  side?: Side;
  expiresAt: number;
  used: boolean;
  holders: readonly Person[];
}

interface SignUp {
  id: number;
  password: string;
  expiresAt: number;
}

interface Factor {
  id: number;
  /** Until an app beside them is confirmed. */
  byPasskey: boolean;
  confirmed: boolean;
  confirmedAt: number;
  createdAt: number;
  /** Who can make the app's codes. */
  holders: Person[];
  backup: { used: number; holders: Person[] };
}

interface Waiting {
  id: number;
  expiresAt: number;
  /** The emailed code that began it; otherwise a password did. */
  code: number | null;
}

/** A sign-in that an emailed link returns to the program that asked, with a code. */
interface Return {
  id: number;
  /** Only the program that asked knows it. */
  verifier: number;
  /** Null until someone follows the link. */
  code: number | null;
  expiresAt: number;
}

interface Identity {
  id: number;
  subject: Person;
  createdAt: number;
}

interface Answer {
  subject: Person;
  /** The address that the provider says is theirs. */
  email: Address;
  expiresAt: number;
  used: boolean;
}

interface Phone {
  number: Person;
  createdAt: number;
}

export type CodeTarget = 'home' | Person;

/** An emailed or texted code that a browser, a program or a session waits for. */
interface AwaitedCode {
  id: number;
  /** The mailbox `home`, whose number, or the session that adds a number. */
  to: CodeTarget | { session: number; number: Person };
  byProgram: boolean;
  opens: boolean;
  expiresAt: number;
  tries: number;
}

type Side = 'former' | 'new';

interface EmailChange {
  id: number;
  to: Address;
  askedIn: number;
  confirmed: Record<Side, boolean>;
  expiresAt: number;
}

/** Whether a passkey derives a secret: from the start, only when it's used later, or never. */
export type Derives = 'secret' | 'later' | 'nothing';

interface Passkey {
  id: number;
  derives: Derives;
  createdAt: number;
  opensWords: boolean;
}

/** What opens the author's words, if they have a key. */
interface Words {
  password: string;
  /** Whether a password was set since that doesn't open them. */
  replaced: boolean;
  recoveryKey: number | null;
  written: boolean;
}

export interface Account {
  address: Address;
  verified: boolean;
  role: 'client' | 'doctor';
  password: { text: string; setAt: number } | null;
  factor: Factor | null;
  church: Identity | null;
  clinic: Identity | null;
  wallet: Identity | null;
  passkeys: Passkey[];
  words: Words | null;
  phone: Phone | null;
  suspended: boolean;
  deleteAfter: number | null;
  /** Changes of the address, oldest first. */
  changes: { link: number | null; former: Address; at: number; byOwner: boolean }[];
}

export interface Model {
  now: number;
  ids: number;
  account: Account | null;
  /** Whether the site requires a second factor. */
  demandsFactor: boolean;
  sessions: Session[];
  apiTokens: number[];
  emailChange: EmailChange | null;
  cards: Partial<Record<Place, Card>>;
  signUps: SignUp[];
  /** Until when each browser skips the second step. */
  trustedUntil: Partial<Record<Browser, number>>;
  /** Whose setup each browser can see again. */
  setUpAt: Partial<Record<Browser, number>>;
  /** The sign-up that each browser can confirm. */
  proofs: Partial<Record<Browser, number>>;
  links: Link[];
  /** Oldest first. */
  codes: AwaitedCode[];
  codeCookies: Partial<Record<Browser, number>>;
  /** The last code that signed in at each program. */
  codesUsed: Partial<Record<Program, { id: number; to: CodeTarget; expiresAt: number }>>;
  /** Sign-ins of programs that wait for the second factor. */
  waiting: Waiting[];
  waitingAt: Partial<Record<Program, number>>;
  returns: Return[];
  /** Of programs, by whose they are. */
  verifiersOf: Record<Person, number[]>;
  returnCodesSeenBy: Record<Person, number[]>;
  /** A provider’s last answer to each browser. */
  answers: Record<Provider, Partial<Record<Browser, Answer>>>;
  /** A wallet's last signed message in each browser. */
  signed: Partial<Record<Browser, Answer>>;
  codesSeenBy: Record<Person, number[]>;
  apiTokensSeenBy: Record<Person, number[]>;
  passwords: Record<Person, string[]>;
  recoveryKeysSeenBy: Record<Person, number[]>;
  /** In each person's authenticator, even after the account removed them. */
  passkeysOf: Record<Person, number[]>;
  /** What the attacker got of the account since its owner last recovered it. */
  exposed: Set<string>;
  /** What the attacker ever got of what opens the author's words. */
  exposedWords: Set<string>;
}

/** How a command should end. */
export interface Outcome {
  /** `done`, or why not. */
  answer: string;
  /** Successes in the audit log. */
  entries?: string[];
  /** Links and codes, by their ids here. */
  mails?: { to: Address; kind: Link['kind'] | 'code'; id: number }[];
  /** Codes, by whose number gets them. */
  texts?: { to: Person; id: number }[];
  /** What only the answer shows: a link, an API token or a recovery key. */
  shown?: number;
}

/** A second factor's code, by how right it is. */
export type Code = 'none' | 'app' | 'backup' | 'spent' | 'wrong';
export type GivenStep = Code | { passkey: number };
/** `trusting` asks to skip the next ones. */
export type SecondStep = GivenStep | { trusting: GivenStep };

export function newModel(now: number): Model {
  return {
    now,
    ids: 0,
    account: null,
    demandsFactor: false,
    sessions: [],
    apiTokens: [],
    emailChange: null,
    cards: {},
    trustedUntil: {},
    setUpAt: {},
    signUps: [],
    proofs: {},
    links: [],
    codes: [],
    codeCookies: {},
    codesUsed: {},
    waiting: [],
    waitingAt: {},
    returns: [],
    verifiersOf: { owner: [], attacker: [] },
    returnCodesSeenBy: { owner: [], attacker: [] },
    answers: { church: {}, clinic: {} },
    signed: {},
    codesSeenBy: { owner: [], attacker: [] },
    apiTokensSeenBy: { owner: [], attacker: [] },
    passwords: { owner: [], attacker: [] },
    recoveryKeysSeenBy: { owner: [], attacker: [] },
    passkeysOf: { owner: [], attacker: [] },
    exposed: new Set(),
    exposedWords: new Set(),
  };
}

const refused = (answer: string): Outcome => ({ answer });
const done = (...entries: string[]): Outcome => ({ answer: 'done', entries });

// What holds now

function isLive(m: Model, { startedAt, usedAt }: Session): boolean {
  return m.now < Math.min(usedAt + 30 * minute, startedAt + 12 * hour);
}

export function liveSessions(m: Model): Session[] {
  return m.sessions.filter((session) => isLive(m, session));
}

/** The session that a place's cookie or access token opens. */
export function sessionAt(m: Model, place: Place): Session | undefined {
  const card = m.cards[place];
  const session = card && liveSessions(m).find(({ id }) => id === card.session);
  if (!session || lacksFactor(m, session)) return undefined;
  if (isBrowser(place)) return session.token === card.token ? session : undefined;
  return m.now < card.issuedAt + 5 * minute ? session : undefined;
}

/** Required since it was opened. */
function lacksFactor(m: Model, { passkey }: Session): boolean {
  return passkey === null && awaitsDemanded(m);
}

/** Required and not set up. */
function awaitsDemanded({ demandsFactor, account }: Model): boolean {
  return demandsFactor && !account!.factor?.confirmed;
}

function needsSecondStep(m: Model): boolean {
  return m.demandsFactor || m.account!.factor?.confirmed === true;
}

/** Like `sessionAt`, and counts as its use. */
function noteUse(m: Model, place: Place): Session | undefined {
  const session = sessionAt(m, place);
  if (session && m.now - session.usedAt >= minute) session.usedAt = m.now;
  return session;
}

function isRecent(m: Model, place: Place, at: number | null): boolean {
  if (at === null || m.now - at >= 5 * minute) return false;
  return isBrowser(place) || at < Math.floor(m.cards[place]!.issuedAt / 1000 + 1) * 1000;
}

export function isFreshAt(m: Model, place: Place): boolean {
  const session = sessionAt(m, place);
  return session !== undefined && isRecent(m, place, session.freshAt);
}

/** Both factors where two are set up. */
function isFullyFresh(m: Model, place: Place, { freshAt, fullyFreshAt }: Session): boolean {
  const { factor } = m.account!;
  if (!factor?.confirmed) return isRecent(m, place, freshAt);
  return isRecent(m, place, fullyFreshAt) && fullyFreshAt! >= factor.confirmedAt;
}

export function isFullyFreshAt(m: Model, place: Place): boolean {
  const session = sessionAt(m, place);
  return session !== undefined && isFullyFresh(m, place, session);
}

/** A program's code counts for what follows within minutes. */
function hasProvenFactor(m: Model, place: Place, { factorAt }: Session): boolean {
  if (!m.account!.factor?.confirmed) return true;
  if (isBrowser(place) || factorAt === null || m.now - factorAt > 5 * minute) return false;
  return Math.floor(m.cards[place]!.issuedAt / 1000) >= Math.floor(factorAt / 1000);
}

export function isTrusted(m: Model, place: Place): boolean {
  return isBrowser(place) && m.now < (m.trustedUntil[place] ?? 0);
}

function isHeld({ account, now }: Model): boolean {
  return account?.changes.some(({ at, byOwner }) => !byOwner && now < at + 72 * hour) ?? false;
}

export function emailChangeOf({ emailChange, now }: Model): EmailChange | null {
  return emailChange && now < emailChange.expiresAt ? emailChange : null;
}

function opensByLink({ role, password }: Account): boolean {
  return role === 'client' && password === null;
}

function hasPasskey({ passkeys }: Account, id: number): boolean {
  return passkeys.some((passkey) => passkey.id === id);
}

/** Besides the one to remove. */
function hasOtherWayIn(account: Account, removed: number): boolean {
  const { password, church, clinic, wallet, passkeys } = account;
  if (password !== null || opensByLink(account)) return true;
  return [...passkeys, church, clinic, wallet].some((way) => way && way.id !== removed);
}

function signUpOf(m: Model, id: number | undefined): SignUp | undefined {
  return m.signUps.find((one) => one.id === id && m.now < one.expiresAt);
}

// What several commands do

function newLink(m: Model, link: Pick<Link, 'kind' | 'whose' | 'side'>, to: Person[], lasts: number): Link {
  const made = { ...link, id: (m.ids += 1), expiresAt: m.now + lasts, used: false, holders: to };
  m.links.push(made);
  return made;
}

const linkLasts = { verify: day, 'reset-password': hour, 'sign-in': 10 * minute } as const;

function mailLink(m: Model, kind: keyof typeof linkLasts, whose: Link['whose']): Outcome['mails'] {
  const to = whose === 'account' ? m.account!.address : 'home';
  if (whose === 'account' && isHeld(m)) return [];
  return [{ to, kind, id: newLink(m, { kind, whose }, [readerOf(to)], linkLasts[kind]).id }];
}

function readerOf(address: Address): Person {
  return address === 'home' ? 'owner' : 'attacker';
}

function endAccountLinks(m: Model): void {
  for (const link of m.links)
    if (link.kind !== 'address-change' && link.whose === 'account') link.used = true;
  m.codes = m.codes.filter(({ opens }) => !opens);
  endProgramSignIns(m);
  m.apiTokens = [];
  m.emailChange = null;
}

function endProgramSignIns(m: Model): void {
  m.waiting = [];
  m.returns = [];
}

function endLinks(m: Model): void {
  endAccountLinks(m);
  if (m.account!.address !== 'home') return;
  for (const link of m.links) if (link.kind !== 'address-change') link.used = true;
}

function endOtherSessions(m: Model, here: Session | null): boolean {
  const before = m.sessions.length;
  m.sessions = here ? [here] : [];
  m.trustedUntil = {};
  return before > m.sessions.length;
}

/** Those that a removed way opened; their browsers, too, unless they have others. */
function endOpenedSessions(m: Model, here: Session, isOpened: (session: Session) => boolean): void {
  const ended = m.sessions.filter((session) => session !== here && isOpened(session));
  m.sessions = m.sessions.filter((session) => !ended.includes(session));
  for (const { device } of ended)
    if (device && m.sessions.every((session) => session.device !== device)) delete m.trustedUntil[device];
}

function endElsewhere(m: Model, here: Session): string[] {
  const revoked = m.apiTokens.length > 0;
  endLinks(m);
  const { device } = here;
  const until = device && m.trustedUntil[device];
  const ended = endOtherSessions(m, here);
  if (until) m.trustedUntil[device] = until;
  return ended || revoked ? ['other_devices_signed_out'] : [];
}

/** Without `here`, the account is being recovered. */
function setPassword(m: Model, text: string, here: Session | null): string[] {
  const account = m.account!;
  endLinks(m);
  account.password = { text, setAt: m.now };
  endOtherSessions(m, here);
  if (!account.factor?.confirmed) account.factor = null;
  if (account.factor?.byPasskey) account.factor.holders = [];
  if (account.words) account.words.replaced = true;
  if (here) return ['password_set'];
  const had = [account.church, account.clinic, account.wallet].some((one) => one !== null);
  Object.assign(account, { church: null, clinic: null, wallet: null });
  const hadPhone = account.phone !== null;
  account.phone = null;
  return [
    'password_set',
    ...(had ? ['identity_disconnected'] : []),
    ...(account.factor?.byPasskey ? [] : dropPasskeys(account)),
    ...(hadPhone ? ['sign_in_phone_removed'] : []),
  ];
}

function dropPasskeys(account: Account): string[] {
  const had = account.passkeys.length > 0;
  account.passkeys = [];
  return had ? ['passkey_removed'] : [];
}

function verify(account: Account): string[] {
  if (account.verified) return [];
  account.verified = true;
  return ['address_verified'];
}

function noteExposed(m: Model, what: 'password' | 'session'): void {
  m.exposed.add(what);
  m.exposedWords.add(what);
}

/** Nothing that the attacker got before opens the account after this. */
function noteRecovery(m: Model, place: Place): void {
  if (personAt(place) === 'owner' && m.account!.address === 'home') m.exposed.clear();
}

function passSecondStep(m: Model, person: Person, second: Code): 'backup_code' | 'passed' | 'wrong_code' {
  const { byPasskey, holders, backup } = m.account!.factor!;
  if (second === 'app' && !byPasskey && holders.includes(person)) return 'passed';
  if (second !== 'backup' || !backup.holders.includes(person) || backup.used >= 10) return 'wrong_code';
  backup.used += 1;
  return 'backup_code';
}

interface Entry {
  second: SecondStep;
  /** Whether it sets up the required factor. */
  finishes?: boolean;
  password?: string;
  identity?: number;
  byPhone?: boolean;
  fresh?: boolean;
}

/** Where every way to sign in ends. */
function enter(m: Model, place: Place, entry: Entry): Outcome {
  const { second, password, identity, byPhone = false, fresh, finishes = false } = entry;
  const account = m.account!;
  if (account.suspended) return refused('account_suspended');
  if (isHeld(m)) return refused('address_held');
  const entries = ['signed_in'];
  const trusts = typeof second === 'object' && 'trusting' in second;
  const given = trusts ? second.trusting : second;
  const passkey = typeof given === 'object' ? given.passkey : null;
  const skips = given === 'none' && isTrusted(m, place);
  if (passkey !== null && !hasPasskey(account, passkey)) return refused('wrong_passkey');
  if (typeof given === 'string' && account.factor?.confirmed && !skips) {
    if (given === 'none') return refused('second_step');
    if (account.factor.byPasskey && !isBrowser(place)) return refused('second_factor_in_browser');
    const step = passSecondStep(m, personAt(place), given);
    if (step === 'wrong_code') return refused(step);
    if (step === 'backup_code') entries.push('backup_code_used');
  }
  if (typeof given === 'string' && awaitsDemanded(m)) {
    const set = setUpDemanded(m, place, given, finishes);
    if (set.answer !== 'done') return set;
    entries.push(...set.entries!);
  }
  if (trusts && isBrowser(place) && (passkey !== null || (account.factor?.confirmed && given !== 'none'))) {
    m.trustedUntil[place] = m.now + 30 * day;
    entries.push('device_trusted');
  }
  m.sessions = liveSessions(m);
  const card = m.cards[place];
  const former = m.sessions.find(({ id, token }) => id === card?.session && token === card.token);
  if (former && isBrowser(place)) {
    m.sessions = m.sessions.filter((session) => session !== former);
    entries.push('signed_out');
  }
  const { now } = m;
  const device = isBrowser(place) ? place : null;
  const by = { identity: identity ?? null, passkey, byPhone, device };
  const opened = { ...by, opensWords: false, waitingPasskey: null };
  const freshAt = fresh ? now : null;
  const factorAt = account.factor?.confirmed && !isBrowser(place) ? now : null;
  const fullyFreshAt = account.factor?.confirmed && skips ? null : freshAt;
  const times = { startedAt: now, usedAt: now, freshAt, fullyFreshAt, factorAt };
  const session: Session = { id: (m.ids += 1), token: 0, ...times, ...opened };
  m.sessions.push(session);
  openWordsAtSignIn(m, place, session, password);
  m.cards[place] = { session: session.id, token: 0, issuedAt: now };
  // A program forgets what waited there.
  if (!isBrowser(place)) delete m.waitingAt[place];
  return done(...entries);
}

function setUpDemanded(m: Model, place: Place, given: Code, finishes: boolean): Outcome {
  const { factor } = m.account!;
  const gives = given !== 'none' && (isBrowser(place) || finishes);
  if (!factor || !gives)
    return { answer: 'second_step', entries: isBrowser(place) ? beginAtSignIn(m, place) : [] };
  if (given !== 'app' || !factor.holders.includes(personAt(place))) return refused('wrong_code');
  Object.assign(factor, { confirmed: true, confirmedAt: m.now });
  factor.backup = { used: 0, holders: isBrowser(place) ? [personAt(place)] : [] };
  endOtherSessions(m, null);
  return done('second_factor_set_up');
}

/** Shows the app's secret, and again only to the browser that it was for. */
function beginAtSignIn(m: Model, place: Browser): string[] {
  const { factor } = m.account!;
  if (factor && m.setUpAt[place] === factor.id) return [];
  m.setUpAt[place] = beginApp(m, place).id;
  return ['second_factor_begun'];
}

/** Replaces one that isn't confirmed. */
function beginApp(m: Model, place: Place): Factor {
  const backup = { used: 0, holders: [] };
  const begun = { ...newFactor(m), byPasskey: false, confirmed: false, holders: [personAt(place)], backup };
  m.account!.factor = begun;
  return begun;
}

/** With the password or passkey of the sign-in; the first password makes the key. */
function openWordsAtSignIn(m: Model, place: Place, session: Session, password: string | undefined): void {
  const account = m.account!;
  const { words } = account;
  if (!words && isPrivate(m)) return;
  const passkey = account.passkeys.find(({ id }) => id === session.passkey);
  let opens = passkey?.opensWords === true;
  if (password !== undefined && !words) makeWords(m, place, password);
  if (password !== undefined && words) words.replaced = words.password !== password;
  if (password !== undefined) opens ||= account.words!.password === password;
  // A program has no cookie that could carry the key.
  if (!isBrowser(place)) return;
  session.opensWords = opens;
  if (!passkey || passkey.derives === 'nothing') return;
  if (opens) passkey.opensWords = true;
  else session.waitingPasskey = passkey.id;
}

function makeWords(m: Model, place: Place, password: string): void {
  m.account!.words = { password, replaced: false, recoveryKey: null, written: false };
  if (personAt(place) === 'attacker') m.exposedWords.add('their own key');
}

function withEntries(entries: string[], outcome: Outcome): Outcome {
  return { ...outcome, entries: [...entries, ...(outcome.entries ?? [])] };
}

// Signing up and emailed links

export function signUp(m: Model, place: Browser, password: string): Outcome {
  const id = (m.ids += 1);
  m.signUps.push({ id, password, expiresAt: m.now + 8 * day });
  m.proofs[place] = id;
  m.passwords[personAt(place)].push(password);
  const isTaken = m.account?.address === 'home' && m.account.password !== null;
  return { ...done('signed_up'), mails: isTaken ? [] : mailLink(m, 'verify', id)! };
}

/** Why a link doesn't work; null if it does. */
function faultOf(m: Model, link: Link): string | null {
  if (link.used || m.now >= link.expiresAt) return 'link_expired';
  if (link.whose !== 'account') return null;
  if (isHeld(m)) return 'address_held';
  return m.account!.suspended ? 'account_suspended' : null;
}

/** Gives the address's account, old or new, this password. */
function takeAddress(m: Model, password: string): string[] | string {
  const { account } = m;
  if (account?.address === 'home') {
    if (account.password) return 'link_expired';
    if (isHeld(m)) return 'address_held';
    if (account.suspended) return 'account_suspended';
    return [...setPassword(m, password, null), ...verify(account)];
  }
  m.account = newAccount(password, m.now);
  endLinks(m);
  return ['account_created', 'password_set', 'address_verified'];
}

function newAccount(password: string | null, now: number): Account {
  return {
    address: 'home',
    verified: true,
    role: 'client',
    password: password === null ? null : { text: password, setAt: now },
    factor: null,
    church: null,
    clinic: null,
    wallet: null,
    passkeys: [],
    words: null,
    phone: null,
    suspended: false,
    deleteAfter: null,
    changes: [],
  };
}

export function followVerifyLink(m: Model, place: Browser, link: Link): Outcome {
  const fault = faultOf(m, link);
  if (fault) return refused(fault);
  if (link.whose === 'account') {
    link.used = true;
    if (m.account!.verified) return refused('not_signed_in');
    return answerWithReset(m, place, 'account');
  }
  const own = signUpOf(m, m.proofs[place]);
  if (!signUpOf(m, link.whose)) return refused('link_expired');
  if (!own) {
    link.used = true;
    return answerWithReset(m, place, link.whose);
  }
  const taken = takeAddress(m, own.password);
  if (typeof taken === 'string') return refused(taken);
  link.used = true;
  m.signUps = m.signUps.filter((one) => one !== own);
  noteRecovery(m, place);
  if (needsSecondStep(m)) return { answer: 'not_signed_in', entries: taken };
  return withEntries(taken, enter(m, place, { second: 'none' }));
}

/** The browser that followed the link chooses a password, with a link that only it has. */
function answerWithReset(m: Model, place: Browser, whose: Link['whose']): Outcome {
  const { id } = newLink(m, { kind: 'reset-password', whose }, [personAt(place)], hour);
  return { answer: 'chooses_password', shown: id };
}

export function askForReset(m: Model, address: Address): Outcome {
  if (m.account?.address !== address) return done();
  return { ...done('password_reset_requested'), mails: mailLink(m, 'reset-password', 'account')! };
}

export function resetPassword(m: Model, place: Browser, link: Link, password: string): Outcome {
  const fault = faultOf(m, link);
  if (fault) return refused(fault);
  if (link.whose !== 'account' && !signUpOf(m, link.whose)) return refused('link_expired');
  const set = link.whose === 'account' ? setPassword(m, password, null) : takeAddress(m, password);
  if (typeof set === 'string') return refused(set);
  link.used = true;
  m.passwords[personAt(place)].push(password);
  set.push(...verify(m.account!));
  noteRecovery(m, place);
  if (m.passwords.attacker.includes(password)) noteExposed(m, 'password');
  if (needsSecondStep(m)) return { answer: 'not_signed_in', entries: set };
  return withEntries(set, enter(m, place, { second: 'none', password }));
}

export function askForSignInLink(m: Model): Outcome {
  const { account } = m;
  if (account?.address !== 'home') return done();
  const opens = opensByLink(account) && !account.suspended;
  return { ...done('sign_in_link_requested'), mails: opens ? mailLink(m, 'sign-in', 'account')! : [] };
}

export function followSignInLink(m: Model, place: Browser, link: Link): Outcome {
  const fault = faultOf(m, link);
  if (fault) return refused(fault);
  if (!opensByLink(m.account!)) {
    link.used = true;
    return refused('not_signed_in');
  }
  link.used = true;
  const verified = verify(m.account!);
  return withEntries(
    verified,
    needsSecondStep(m)
      ? answerWithReset(m, place, 'account')
      : enter(m, place, { second: 'none', fresh: true }),
  );
}

// Signing in

export function signInByPassword(
  m: Model,
  place: Place,
  { address, password, second }: { address: Address; password: string; second: SecondStep },
): Outcome {
  const { account } = m;
  if (account?.address !== address || account.password?.text !== password) {
    const pending = isBrowser(place) && address === 'home' ? signUpOf(m, m.proofs[place]) : undefined;
    if (pending?.password !== password) return refused('wrong_credentials');
    return refused(account?.address === address && isHeld(m) ? 'address_held' : 'email_unverified');
  }
  if (!account.verified) return refused(isHeld(m) ? 'address_held' : 'email_unverified');
  // A program's second step comes without the password.
  const opener = isBrowser(place) || !needsSecondStep(m) ? { password } : {};
  return orWait(m, place, null, enter(m, place, { second, ...opener }));
}

const ofSecondStep: readonly string[] = ['second_step', 'wrong_code', 'second_factor_in_browser'];

/** A program that gives no second step can give it later. */
function orWait(m: Model, place: Place, codeId: number | null, entered: Outcome): Outcome {
  if (isBrowser(place) || !ofSecondStep.includes(entered.answer)) return entered;
  const id = (m.ids += 1);
  m.waiting.push({ id, expiresAt: m.now + 5 * minute, code: codeId });
  m.waitingAt[place] = id;
  return entered;
}

export function finishSignIn(m: Model, place: Program, second: Code): Outcome {
  const waiting = m.waiting.find(({ id, expiresAt }) => id === m.waitingAt[place] && m.now < expiresAt);
  if (!waiting) return refused('no_session');
  const { factor } = m.account!;
  if (!factor) return refused('factor');
  if (factor.byPasskey) return refused('second_factor_in_browser');
  const { code } = waiting;
  const awaited = m.codes.find(({ id }) => id === code);
  if (code !== null && (!awaited || !opensByCode(m.account!))) return refused('code_expired');
  const byPhone = awaited !== undefined && isText(awaited);
  const fresh = code !== null && opensByLink(m.account!);
  const entered = enter(m, place, { second, byPhone, fresh, finishes: true });
  if (entered.answer !== 'done') return entered;
  m.waiting = m.waiting.filter((one) => one !== waiting);
  if (awaited) consumeCode(m, awaited);
  return entered;
}

/** Sets up the app that the site requires. */
export function enrollFactor(m: Model, place: Program): Outcome {
  const waiting = m.waiting.find(({ id, expiresAt }) => id === m.waitingAt[place] && m.now < expiresAt);
  if (!waiting) return refused('no_session');
  const { factor } = m.account!;
  if (factor?.confirmed) return refused('second_factor_active');
  beginApp(m, place);
  return done('second_factor_begun');
}

/** At `home`, whose account signs in by emailed link. */
export function askForReturn(m: Model, place: Program): Outcome {
  const verifier = (m.ids += 1);
  m.verifiersOf[personAt(place)].push(verifier);
  const { id } = newReturn(m, verifier);
  const asked = done('sign_in_link_requested');
  if (isHeld(m) || m.account!.suspended) return asked;
  const link = newLink(m, { kind: 'return', whose: id }, ['owner'], hour);
  return { ...asked, mails: [{ to: 'home', kind: 'return', id: link.id }] };
}

function newReturn(m: Model, verifier: number): Return {
  const made = { id: (m.ids += 1), verifier, code: null, expiresAt: m.now + 10 * minute };
  m.returns.push(made);
  return made;
}

/** The code reaches whoever follows the link, who isn't always who asked. */
export function followReturnLink(m: Model, place: Browser, link: Link): Outcome {
  const returned = m.returns.find(({ id }) => id === link.whose);
  const isOver = link.used || m.now >= link.expiresAt;
  if (isOver || !returned || returned.code !== null || m.now >= returned.expiresAt)
    return refused('link_expired');
  link.used = true;
  const code = (m.ids += 1);
  Object.assign(returned, { code, expiresAt: m.now + 5 * minute });
  m.returnCodesSeenBy[personAt(place)].push(code);
  return { answer: 'returns', shown: code };
}

/** `verifier` is one that the place's person has, or another text. */
export function exchangeCode(
  m: Model,
  place: Program,
  { code, verifier, second }: { code: number; verifier: number; second: SecondStep },
): Outcome {
  const returned = m.returns.find((one) => one.code === code && m.now < one.expiresAt);
  if (!returned) return refused('return_expired');
  const end = () => (m.returns = m.returns.filter((one) => one !== returned));
  if (verifier !== returned.verifier) {
    end();
    return refused('wrong_verifier');
  }
  const account = m.account!;
  if (!opensByCode(account)) return refused('return_expired');
  const fresh = opensByLink(account) && !needsSecondStep(m);
  const entered = enter(m, place, { second, fresh });
  if (entered.answer === 'done' || ofSecondStep.includes(entered.answer)) end();
  return orWait(m, place, null, entered);
}

export function opensByCode(account: Account): boolean {
  return account.verified && (account.password !== null || opensByLink(account));
}

function isText({ to }: AwaitedCode): boolean {
  return to !== 'home';
}

function awaitCode(
  m: Model,
  { to, byProgram, opens }: Pick<AwaitedCode, 'to' | 'byProgram' | 'opens'>,
): number {
  const id = (m.ids += 1);
  const isReplaced = (one: AwaitedCode) =>
    typeof to === 'object' ? isDeepStrictEqual(one.to, to) : byProgram && one.byProgram && one.to === to;
  m.codes = m.codes.filter((code) => !isReplaced(code));
  m.codes.push({ id, to, byProgram, opens, expiresAt: m.now + 10 * minute, tries: 0 });
  return id;
}

/** Ends the others of its address, number or session, too. */
function consumeCode(m: Model, { to }: AwaitedCode): void {
  const isEnded = (one: AwaitedCode['to']) =>
    typeof one === 'object' && typeof to === 'object' ? one.session === to.session : one === to;
  m.codes = m.codes.filter((one) => !isEnded(one.to));
}

/** At `home`. */
export function askForCode(m: Model, place: Place): Outcome {
  const account = m.account?.address === 'home' ? m.account : null;
  const opens = account !== null && opensByCode(account);
  const id = awaitCode(m, { to: 'home', byProgram: !isBrowser(place), opens });
  if (isBrowser(place)) m.codeCookies[place] = id;
  if (opens) {
    m.codesSeenBy.owner.push(id);
    return { ...done('sign_in_code_requested'), mails: [{ to: 'home', kind: 'code', id }] };
  }
  if (account?.verified) return done('sign_in_link_requested');
  const pending = isBrowser(place)
    ? signUpOf(m, m.proofs[place])
    : m.signUps.filter((one) => m.now < one.expiresAt).at(-1);
  const whose = pending && !account?.password ? pending.id : account && ('account' as const);
  if (whose === null) return done();
  return { ...done('verification_requested'), mails: mailLink(m, 'verify', whose)! };
}

/** Texts whoever has the number. */
export function askForText(m: Model, place: Place, number: Person): Outcome {
  const { account } = m;
  const opens = account?.phone?.number === number && account.verified && account.password !== null;
  const id = awaitCode(m, { to: number, byProgram: !isBrowser(place), opens });
  if (isBrowser(place)) m.codeCookies[place] = id;
  if (!opens) return done();
  m.codesSeenBy[number].push(id);
  return { ...done('sign_in_code_requested'), texts: [{ to: number, id }] };
}

/** The code that a browser waits for, or a program's latest. */
export function codeAwaitedAt(m: Model, place: Place): AwaitedCode | undefined {
  return isBrowser(place)
    ? m.codes.find(({ id }) => id === m.codeCookies[place])
    : m.codes.findLast(({ byProgram }) => byProgram);
}

/**
 * `typed` is the id of a code that the place's person has seen, or null for a guess. Only programs say what the code went
 * `to`: browsers have a cookie.
 */
export function enterCode(
  m: Model,
  place: Place,
  { to, typed, second }: { to: CodeTarget; typed: number | null; second: SecondStep },
): Outcome {
  const code = isBrowser(place)
    ? codeAwaitedAt(m, place)
    : m.codes.find((one) => one.byProgram && one.to === to);
  if (!code || m.now >= code.expiresAt) return refused('code_expired');
  if (code.tries >= 5) return refused('code_spent');
  if (typed !== code.id || !code.opens) {
    code.tries += 1;
    return refused(code.tries >= 5 ? 'code_spent' : 'wrong_email_code');
  }
  if (!opensByCode(m.account!)) return refused('code_expired');
  const entered = enter(m, place, { second, byPhone: isText(code), fresh: opensByLink(m.account!) });
  if (entered.answer !== 'done') return orWait(m, place, code.id, entered);
  consumeCode(m, code);
  if (isBrowser(place)) delete m.codeCookies[place];
  else m.codesUsed[place] = { id: code.id, to, expiresAt: code.expiresAt };
  return entered;
}

/** With a new answer of the provider, or the last one again. */
export function signInByProvider(
  m: Model,
  place: Browser,
  { provider, subject, email }: { provider: Provider; subject: Person; email: Address },
  second: SecondStep,
): Outcome {
  m.answers[provider][place] = { subject, email, expiresAt: m.now + 10 * minute, used: false };
  return comeBackAgain(m, place, provider, second);
}

export function comeBackAgain(m: Model, place: Browser, provider: Provider, second: SecondStep): Outcome {
  const answer = m.answers[provider][place]!;
  if (answer.used || m.now >= answer.expiresAt) return refused('provider_expired');
  const outcome = enterByProvider(m, place, provider, answer, second);
  answer.used = outcome.answer === 'done';
  return outcome;
}

/** An answer to another browser. */
export function bringForeignAnswer(): Outcome {
  return refused('provider_expired');
}

function enterByProvider(
  m: Model,
  place: Browser,
  provider: Provider,
  { subject, email }: Answer,
  second: SecondStep,
): Outcome {
  if (!isVouchedFor(provider, email)) return refused('provider_domain');
  const { account } = m;
  const identity = account?.[provider];
  if (identity?.subject === subject) return enterByIdentity(m, place, identity, second);
  // The attacker's church doesn't verify addresses.
  if (provider === 'church' && subject === 'attacker') return refused('provider_address_unverified');
  if (account) return refused('provider_account_exists');
  m.account = newAccount(null, m.now);
  const connected = { id: (m.ids += 1), subject, createdAt: m.now };
  m.account[provider] = connected;
  // The clinic says whose the addresses of its domain are.
  if (subject === 'attacker') m.exposed.add(provider);
  const entered = enter(m, place, { second, identity: connected.id });
  return withEntries(['account_created', 'identity_connected'], entered);
}

/** The clinic speaks only for addresses of its domain. */
function isVouchedFor(provider: Provider, email: Address): boolean {
  return provider === 'church' || email === 'home';
}

function enterByIdentity(m: Model, place: Browser, { id }: Identity, second: SecondStep): Outcome {
  if (!m.account!.verified) return refused(isHeld(m) ? 'address_held' : 'email_unverified');
  return enter(m, place, { second, identity: id });
}

/** With a new message, or the last one again. */
export function signInByWallet(m: Model, place: Browser, subject: Person, second: SecondStep): Outcome {
  m.signed[place] = { subject, email: 'home', expiresAt: m.now + 10 * minute, used: false };
  return sendSignedAgain(m, place, second);
}

export function sendSignedAgain(m: Model, place: Browser, second: SecondStep): Outcome {
  const signed = m.signed[place]!;
  if (signed.used || m.now >= signed.expiresAt) return refused('provider_expired');
  const { wallet } = m.account ?? {};
  if (wallet?.subject !== signed.subject) return refused('wallet_unknown');
  const outcome = enterByIdentity(m, place, wallet, second);
  signed.used = outcome.answer === 'done';
  return outcome;
}

/** A passkey is both steps. */
export function signInByPasskey(m: Model, place: Browser, passkey: number): Outcome {
  const { account } = m;
  if (!account || !hasPasskey(account, passkey)) return refused('wrong_passkey');
  if (!account.verified) return refused(isHeld(m) ? 'address_held' : 'email_unverified');
  return enter(m, place, { second: { passkey }, fresh: opensByLink(account) });
}

/** An answer that was sent before. */
export function sendPasskeyAgain(): Outcome {
  return refused('passkey_expired');
}

/** Exchanges a program's refresh token; an old one ends the session. */
export function refresh(m: Model, place: Program): Outcome {
  const card = m.cards[place]!;
  const session = liveSessions(m).find(({ id }) => id === card.session);
  if (!session || lacksFactor(m, session)) return refused('refresh_token_unknown');
  if (card.token !== session.token) {
    m.sessions = m.sessions.filter((one) => one !== session);
    return { answer: 'refresh_token_used', entries: ['signed_out'] };
  }
  session.token += 1;
  m.cards[place] = { ...card, token: session.token, issuedAt: m.now };
  return done();
}

// Signed in

function signedIn(m: Model, place: Place, act: (session: Session, account: Account) => Outcome): Outcome {
  const session = noteUse(m, place);
  return session ? act(session, m.account!) : refused('no_session');
}

function fullyConfirmed(
  m: Model,
  place: Place,
  act: (session: Session, account: Account) => Outcome,
): Outcome {
  return signedIn(m, place, (session, account) =>
    isFullyFresh(m, place, session)
      ? act(session, account)
      : refused(account.factor?.confirmed ? 'full_reauthentication_required' : 'reauthentication_required'),
  );
}

export function look(m: Model, place: Place): Outcome {
  return refused(noteUse(m, place) ? 'signed_in' : 'guest');
}

export function signOut(m: Model, place: Browser): Outcome {
  // Also ends a session that is past its time.
  const card = m.cards[place];
  const session = m.sessions.find(({ id, token }) => id === card?.session && token === card.token);
  noteUse(m, place);
  delete m.cards[place];
  if (!session) return done();
  m.sessions = m.sessions.filter((one) => one !== session);
  return done('signed_out');
}

export function signOutOthers(m: Model, place: Place): Outcome {
  return signedIn(m, place, (session) =>
    isRecent(m, place, session.freshAt)
      ? done(...endElsewhere(m, session))
      : refused('reauthentication_required'),
  );
}

export function changePassword(
  m: Model,
  place: Place,
  { current, next, code }: { current: string; next: string; code: Code },
): Outcome {
  return signedIn(m, place, (session, { password, factor }) => {
    const proven = hasProvenFactor(m, place, session);
    if (!isBrowser(place) && !proven) return refused('reauthentication_needed');
    if (password?.text !== current) return refused('wrong_password');
    const entries = [];
    const confirmed = code === 'none' && factor?.byPasskey && isFullyFresh(m, place, session);
    if (!proven && !confirmed) {
      if (code === 'none') return refused('required');
      const step = passSecondStep(m, personAt(place), code);
      if (step === 'wrong_code') return refused(step);
      if (step === 'backup_code') entries.push('backup_code_used');
    }
    m.passwords[personAt(place)].push(next);
    const { words } = m.account!;
    const rewraps = session.opensWords || words?.password === current;
    const set = setPassword(m, next, session);
    if (words && rewraps) Object.assign(words, { password: next, replaced: false });
    return done(...entries, ...set);
  });
}

export function reauthenticate(m: Model, place: Place, given: { password?: string; code?: Code }): Outcome {
  return signedIn(m, place, (session, account) => {
    const entries = ['reauthenticated'];
    const { password, factor } = account;
    if (given.password !== undefined && password?.text !== given.password) return refused('wrong_password');
    if (given.code !== undefined) {
      if (!factor?.confirmed) return refused('second_factor_not_begun');
      const step = passSecondStep(m, personAt(place), given.code);
      if (step === 'wrong_code') return refused(step);
      if (step === 'backup_code') entries.push('backup_code_used');
    }
    const alone = password === null && !opensByLink(account);
    const fully =
      given.password === undefined ? alone : given.code !== undefined || hasProvenFactor(m, place, session);
    noteConfirmed(m, place, session, fully);
    return done(...entries);
  });
}

function noteConfirmed(m: Model, place: Place, session: Session, fully: boolean): void {
  session.freshAt = m.now;
  if (fully) session.fullyFreshAt = m.now;
  if (!isBrowser(place)) return;
  session.token += 1;
  m.cards[place]!.token = session.token;
}

export function confirmByPasskey(m: Model, place: Place, passkey: number): Outcome {
  return signedIn(m, place, (session, account) => {
    if (account.passkeys.length === 0) return refused('passkey');
    if (!hasPasskey(account, passkey)) return refused('wrong_passkey');
    if (session.opensWords) letOpenWords(account, passkey);
    noteConfirmed(m, place, session, true);
    return done('reauthenticated');
  });
}

function letOpenWords({ passkeys }: Account, id: number | null): void {
  const passkey = passkeys.find((one) => one.id === id);
  if (passkey && passkey.derives !== 'nothing') passkey.opensWords = true;
}

/** With the authenticator of the place's person. */
export function addPasskey(m: Model, place: Place, id: number, derives: Derives): Outcome {
  return fullyConfirmed(m, place, ({ opensWords }, { passkeys }) => {
    const person = personAt(place);
    passkeys.push({ id, derives, createdAt: m.now, opensWords: opensWords && derives === 'secret' });
    m.passkeysOf[person].push(id);
    if (person === 'attacker') m.exposed.add('passkey');
    return done('passkey_added');
  });
}

export function removePasskey(m: Model, place: Place, id: number): Outcome {
  return fullyConfirmed(m, place, (here, account) => {
    if (!hasPasskey(account, id)) return refused('passkey');
    if (!hasOtherWayIn(account, id)) return refused('last_way_in');
    if (account.factor?.byPasskey && account.passkeys.length === 1) return refused('last_second_step');
    account.passkeys = account.passkeys.filter((passkey) => passkey.id !== id);
    endOpenedSessions(m, here, (session) => session.passkey === id);
    return done('passkey_removed');
  });
}

export function beginFactor(m: Model, place: Browser, current: string): Outcome {
  return signedIn(m, place, (session, account) => {
    if (account.password?.text !== current) return refused('wrong_password');
    if (account.factor?.byPasskey) {
      if (!isFullyFresh(m, place, session)) return refused('full_reauthentication_required');
      account.factor.holders = [personAt(place)];
      return done('second_factor_begun');
    }
    if (account.factor?.confirmed) return refused('second_factor_active');
    beginApp(m, place);
    return done('second_factor_begun');
  });
}

function newFactor(m: Model): Pick<Factor, 'id' | 'createdAt' | 'confirmedAt'> {
  return { id: (m.ids += 1), createdAt: m.now, confirmedAt: m.now };
}

/** `passkey` proves that they work. */
export function setUpPasskeys(m: Model, place: Place, passkey: number): Outcome {
  return signedIn(m, place, (session, account) => {
    if (account.passkeys.length === 0) return refused('passkey');
    if (!hasPasskey(account, passkey)) return refused('wrong_passkey');
    if (account.factor?.confirmed) return refused('second_factor_active');
    const backup = { used: 0, holders: [personAt(place)] };
    account.factor = { ...newFactor(m), byPasskey: true, confirmed: true, holders: [], backup };
    endOtherSessions(m, session);
    return done('second_factor_set_up');
  });
}

/** An app waits for its first code. */
export function awaitsApp({ account }: Model): boolean {
  const { factor } = account ?? {};
  return factor != null && factor.holders.length > 0 && (factor.byPasskey || !factor.confirmed);
}

export function confirmFactor(m: Model, place: Browser, code: Code): Outcome {
  return signedIn(m, place, (session, { factor }) => {
    if (!factor || !awaitsApp(m)) return refused('second_factor_not_begun');
    if (code !== 'app' || !factor.holders.includes(personAt(place))) return refused('wrong_code');
    if (factor.byPasskey) factor.createdAt = m.now;
    Object.assign(factor, { byPasskey: false, confirmed: true, confirmedAt: m.now });
    factor.backup = { used: 0, holders: [personAt(place)] };
    endOtherSessions(m, session);
    return done('second_factor_set_up');
  });
}

/** Confirmed before if passkeys are the second step. */
function withBothSteps(
  m: Model,
  place: Browser,
  { password, code }: { password: string; code: Code },
  act: (account: Account) => Outcome,
): Outcome {
  return signedIn(m, place, (session, account) => {
    const { factor } = account;
    if (factor?.byPasskey)
      return isFullyFresh(m, place, session) ? act(account) : refused('full_reauthentication_required');
    if (account.password?.text !== password) return refused('wrong_password');
    if (!factor?.confirmed) return act(account);
    const { used } = factor.backup;
    const step = passSecondStep(m, personAt(place), code);
    if (step === 'wrong_code') return refused(step);
    const outcome = act(account);
    if (outcome.answer === 'done')
      return withEntries(step === 'backup_code' ? ['backup_code_used'] : [], outcome);
    // A refusal uses up nothing.
    factor.backup.used = used;
    return outcome;
  });
}

type BothSteps = Parameters<typeof withBothSteps>[2];

export function removeFactor(m: Model, place: Browser, given: BothSteps): Outcome {
  return withBothSteps(m, place, given, (account) => {
    if (m.demandsFactor) return refused('second_factor_demanded');
    if (!account.factor) return done();
    account.factor = null;
    m.trustedUntil = {};
    endProgramSignIns(m);
    return done('second_factor_removed');
  });
}

export function forgetDevice(m: Model, place: Place, device: Browser): Outcome {
  return signedIn(m, place, () => {
    if (!isTrusted(m, device)) return refused('device');
    delete m.trustedUntil[device];
    return done('device_distrusted');
  });
}

export function renewBackupCodes(m: Model, place: Browser, given: BothSteps): Outcome {
  return withBothSteps(m, place, given, ({ factor }) => {
    if (!factor?.confirmed) return refused('second_factor_not_begun');
    factor.backup = { used: 0, holders: [personAt(place)] };
    return done('backup_codes_renewed');
  });
}

/** While passkeys are the second step. */
export function manageFactor(m: Model, place: Program, act: FactorAct): Outcome {
  return signedIn(m, place, (session) => {
    if (act !== 'enroll') return refused('second_factor_in_browser');
    const isFresh = isRecent(m, place, session.freshAt);
    return refused(isFresh ? 'second_factor_active' : 'reauthentication_required');
  });
}

export type FactorAct = 'enroll' | 'challenge' | 'verify';

export function createApiToken(m: Model, place: Place): Outcome {
  return fullyConfirmed(m, place, () => {
    if (m.apiTokens.length >= 10) return refused('too_many_api_tokens');
    const id = (m.ids += 1);
    m.apiTokens.push(id);
    const person = personAt(place);
    m.apiTokensSeenBy[person].push(id);
    return { ...done('api_token_created'), shown: id };
  });
}

export function revokeApiToken(m: Model, place: Place, id: number): Outcome {
  return signedIn(m, place, () => {
    if (!m.apiTokens.includes(id)) return refused('api_token');
    m.apiTokens = m.apiTokens.filter((one) => one !== id);
    return done('api_token_revoked');
  });
}

export function tryApiToken(m: Model, id: number): Outcome {
  return m.apiTokens.includes(id) ? done() : refused('no_session');
}

export function connectIdentity(m: Model, place: Browser, provider: Provider, email: Address): Outcome {
  return fullyConfirmed(m, place, (_, account) => {
    if (account[provider]) return refused('provider_connected');
    if (!isVouchedFor(provider, email)) return refused('provider_domain');
    const subject = personAt(place);
    account[provider] = { id: (m.ids += 1), subject, createdAt: m.now };
    if (subject === 'attacker') m.exposed.add(provider);
    return done('identity_connected');
  });
}

/** `foreign` is connected to another account. */
export function connectWallet(m: Model, place: Browser, subject: Person | 'foreign'): Outcome {
  return fullyConfirmed(m, place, (_, account) => {
    if (account.wallet) return refused('provider_connected');
    if (subject === 'foreign') return refused('identity_taken');
    account.wallet = { id: (m.ids += 1), subject, createdAt: m.now };
    if (subject === 'attacker') m.exposed.add('wallet');
    return done('identity_connected');
  });
}

export function disconnectIdentity(m: Model, place: Browser, which: Provider | 'wallet'): Outcome {
  return fullyConfirmed(m, place, (here, account) => {
    const identity = account[which];
    if (!identity) return refused('identity');
    if (!hasOtherWayIn(account, identity.id)) return refused('last_way_in');
    account[which] = null;
    endOpenedSessions(m, here, (session) => session.identity === identity.id);
    return done('identity_disconnected');
  });
}

function addingPhone(m: Model, place: Place, act: (session: Session, account: Account) => Outcome): Outcome {
  return fullyConfirmed(m, place, (session, account) => {
    if (account.password === null) return refused('password_missing');
    return account.phone ? refused('phone_exists') : act(session, account);
  });
}

export function beginPhone(m: Model, place: Place, number: Person): Outcome {
  return addingPhone(m, place, (session) => {
    const to = { session: session.id, number };
    const id = awaitCode(m, { to, byProgram: false, opens: true });
    m.codesSeenBy[number].push(id);
    return { ...done('phone_code_requested'), texts: [{ to: number, id }] };
  });
}

/** `typed` as for `enterCode`. */
export function addPhone(m: Model, place: Place, number: Person, typed: number | null): Outcome {
  return addingPhone(m, place, (session, account) => {
    const code = m.codes.find(
      ({ to }) => typeof to === 'object' && to.session === session.id && to.number === number,
    );
    if (!code || m.now >= code.expiresAt) return refused('code_expired');
    if (code.tries >= 5) return refused('code_spent');
    code.tries += 1;
    if (typed !== code.id) return refused(code.tries >= 5 ? 'code_spent' : 'wrong_code');
    consumeCode(m, code);
    account.phone = { number, createdAt: m.now };
    if (number === 'attacker') m.exposed.add('phone');
    return done('sign_in_phone_added');
  });
}

export function removePhone(m: Model, place: Place): Outcome {
  return fullyConfirmed(m, place, (here, account) => {
    const { phone } = account;
    if (!phone) return refused('sign_in_phone');
    account.phone = null;
    m.codes = m.codes.filter(({ to }) => to !== phone.number);
    endOpenedSessions(m, here, ({ byPhone }) => byPhone);
    return done('sign_in_phone_removed');
  });
}

export function requestEmailChange(m: Model, place: Place, to: Address): Outcome {
  return fullyConfirmed(m, place, (session, account) => askForEmail(m, session, account, to));
}

/** With a program's published client, the current password is enough. */
export function requestEmailChangeByPassword(
  m: Model,
  place: Program,
  to: Address,
  current: string,
): Outcome {
  return signedIn(m, place, (session, account) => {
    if (account.address === to) return done();
    if (!hasProvenFactor(m, place, session)) return refused('reauthentication_needed');
    if (account.password?.text !== current) return refused('wrong_password');
    return askForEmail(m, session, account, to);
  });
}

function askForEmail(m: Model, session: Session, account: Account, to: Address): Outcome {
  if (!account.verified) return refused('email_unverified');
  if (account.address === to) return refused('same_address');
  const confirmed = { former: false, new: false };
  m.emailChange = { id: (m.ids += 1), to, askedIn: session.id, confirmed, expiresAt: m.now + day };
  return mailEmailChange(m, m.emailChange);
}

function mailEmailChange(m: Model, { id, to, confirmed }: EmailChange): Outcome {
  const addresses = { former: m.account!.address, new: to };
  const mails = (['former', 'new'] as const)
    .filter((side) => !confirmed[side])
    .map((side) => {
      const link = { kind: 'email-change', whose: id, side } as const;
      const address = addresses[side];
      return { to: address, kind: link.kind, id: newLink(m, link, [readerOf(address)], day).id };
    });
  return { ...done('email_change_requested'), mails };
}

export function resendEmailChange(m: Model, place: Place): Outcome {
  return signedIn(m, place, () => {
    const change = emailChangeOf(m);
    if (!change) return refused('email_change');
    change.expiresAt = m.now + day;
    return mailEmailChange(m, change);
  });
}

export function cancelEmailChange(m: Model, place: Place): Outcome {
  return signedIn(m, place, () => {
    if (!emailChangeOf(m)) return refused('email_change');
    m.emailChange = null;
    return done('email_change_canceled');
  });
}

/** Signs nobody in; the second confirmation changes the address. */
export function confirmEmailChange(m: Model, link: Link): Outcome {
  const change = emailChangeOf(m);
  if (change?.id !== link.whose || link.used || m.now >= link.expiresAt) return refused('link_expired');
  for (const one of m.links) if (one.whose === change.id && one.side === link.side) one.used = true;
  change.confirmed[link.side!] = true;
  if (!change.confirmed.former || !change.confirmed.new) return done('email_change_confirmed');
  const account = m.account!;
  endOtherSessions(m, m.sessions.find(({ id }) => id === change.askedIn) ?? null);
  endLinks(m);
  const settled = account.changes.findIndex(({ former }) => former === change.to);
  if (settled >= 0) account.changes = account.changes.slice(0, settled);
  const mails = moveTo(m, change.to, { byOwner: true });
  return { ...done('email_change_confirmed', 'email_changed'), mails };
}

export function requestDeletion(m: Model, place: Browser, current: string): Outcome {
  return signedIn(m, place, (session, account) => {
    if (account.password?.text !== current) return refused('wrong_password');
    if (account.deleteAfter !== null) return done();
    account.deleteAfter = m.now + 14 * day;
    return done('deletion_requested', ...endElsewhere(m, session));
  });
}

export function keepAccount(m: Model, place: Browser): Outcome {
  return signedIn(m, place, (_, account) => {
    if (account.deleteAfter === null) return done();
    account.deleteAfter = null;
    return done('deletion_undone');
  });
}

// The author's words

/** An administrator's change of the address is recent and nobody has confirmed it. */
function isPrivate({ account, now }: Model): boolean {
  return account?.changes.some(({ at, byOwner }) => !byOwner && now < at + 7 * day) ?? false;
}

/** What the journal shows there. */
export function journalAt(m: Model, place: Place): string {
  const session = sessionAt(m, place);
  if (!session) return 'no_session';
  if (isPrivate(m)) return 'private_locked';
  const { words } = m.account!;
  if (!words) return 'empty';
  if (!session.opensWords) return 'words_locked';
  return words.written ? 'words' : 'empty';
}

export function readJournal(m: Model, place: Place): Outcome {
  return signedIn(m, place, () => refused(journalAt(m, place)));
}

export function writeJournal(m: Model, place: Place): Outcome {
  return signedIn(m, place, (session, { words }) => {
    if (isPrivate(m)) return refused('private_locked');
    if (!words || !session.opensWords) return refused('words_locked');
    words.written = true;
    return done('journal_entry_written');
  });
}

/** What a person gives to open the words; `passkey` and `recoveryKey` by their ids. */
export interface Unlocking {
  password?: string;
  formerPassword?: string;
  recoveryKey?: number;
  passkey?: number;
}

export function unlockWords(m: Model, place: Place, given: Unlocking): Outcome {
  return signedIn(m, place, (session, account) => {
    const { password, passkey } = given;
    if (passkey !== undefined && account.passkeys.length === 0) return refused('passkey');
    if (!isBrowser(place)) return refused('no_session');
    if (isPrivate(m)) return refused('private_locked');
    if (password !== undefined && account.password?.text !== password) return refused('wrong_password');
    if (passkey !== undefined && !hasPasskey(account, passkey)) return refused('wrong_passkey');
    if (!account.words && password === undefined) return refused('required');
    if (account.words && !isOpenedBy(account, given)) return refused('wrong_secret');
    if (!account.words) makeWords(m, place, password!);
    else if (password !== undefined) Object.assign(account.words, { password, replaced: false });
    session.opensWords = true;
    letOpenWords(account, session.waitingPasskey);
    session.waitingPasskey = null;
    return done('words_unlocked');
  });
}

function isOpenedBy({ words, passkeys }: Account, given: Unlocking): boolean {
  if (given.recoveryKey !== undefined) return words!.recoveryKey === given.recoveryKey;
  if (given.passkey !== undefined)
    return passkeys.some(({ id, opensWords }) => id === given.passkey && opensWords);
  return words!.password === (given.formerPassword ?? given.password);
}

/** Shows the key once; an earlier one opens nothing any more. */
export function renewRecoveryKey(m: Model, place: Place): Outcome {
  return signedIn(m, place, (session, { words }) => {
    if (!isRecent(m, place, session.freshAt)) return refused('reauthentication_required');
    if (isPrivate(m)) return refused('private_locked');
    if (!words || !session.opensWords) return refused('words_locked');
    words.recoveryKey = m.ids += 1;
    m.recoveryKeysSeenBy[personAt(place)].push(words.recoveryKey);
    return { ...done('recovery_key_renewed'), shown: words.recoveryKey };
  });
}

/** Deletes the words. */
export function startOver(m: Model, place: Place): Outcome {
  return signedIn(m, place, (session, account) => {
    if (!isRecent(m, place, session.freshAt)) return refused('reauthentication_required');
    if (isPrivate(m)) return refused('private_locked');
    account.words = null;
    for (const one of [...m.sessions, ...account.passkeys]) one.opensWords = false;
    return done('words_started_over');
  });
}

// Administrators

export function demandFactor(m: Model, demanded: boolean): Outcome {
  if (m.demandsFactor === demanded) return done();
  m.demandsFactor = demanded;
  return done('settings.changed');
}

export function suspend(m: Model): Outcome {
  const account = m.account!;
  if (account.suspended) return done();
  account.suspended = true;
  endOtherSessions(m, null);
  endLinks(m);
  return done('user_suspended');
}

export function reactivate(m: Model): Outcome {
  const account = m.account!;
  if (!account.suspended) return done();
  account.suspended = false;
  return done('user_reactivated');
}

export function changeRole(m: Model, role: Account['role']): Outcome {
  const account = m.account!;
  if (account.role === role) return done();
  account.role = role;
  endOtherSessions(m, null);
  m.apiTokens = [];
  return done('role_changed');
}

export function resetFactor(m: Model): Outcome {
  const account = m.account!;
  if (!account.factor) return refused('second_factor');
  account.factor = null;
  endProgramSignIns(m);
  endOtherSessions(m, null);
  m.apiTokens = [];
  m.emailChange = null;
  return done('second_factor_reset', ...dropPasskeys(account));
}

export function revokeApiTokenOf(m: Model, id: number): Outcome {
  if (!m.apiTokens.includes(id)) return refused('api_token');
  m.apiTokens = m.apiTokens.filter((one) => one !== id);
  return done('api_token_revoked');
}

/** Sign-ups with the address so far lose their links too. */
function endWaysIn(m: Model): void {
  endOtherSessions(m, null);
  endLinks(m);
}

export function changeAddress(m: Model, to: Address): Outcome {
  const account = m.account!;
  if (account.address === to) return done();
  const back = account.changes.find(({ former, link }) => former === to && link !== null);
  if (back) {
    giveBack(m, back);
    return done('user_edited', 'address_change_undone');
  }
  endWaysIn(m);
  const mails = moveTo(m, to, { byOwner: false });
  account.verified = false;
  return { ...done('user_edited'), mails };
}

function moveTo(m: Model, to: Address, { byOwner }: { byOwner: boolean }): NonNullable<Outcome['mails']> {
  const account = m.account!;
  const former = account.address;
  const link = account.verified
    ? newLink(m, { kind: 'address-change', whose: 'account' }, [readerOf(former)], 7 * day)
    : null;
  account.changes.push({ link: link?.id ?? null, former, at: m.now, byOwner });
  account.address = to;
  if (to === 'other') m.exposed.add('mailbox');
  return link ? [{ to: former, kind: 'address-change', id: link.id }] : [];
}

function giveBack(m: Model, change: Account['changes'][number]): void {
  const account = m.account!;
  endWaysIn(m);
  if (account.password && account.password.setAt > change.at) account.password = null;
  if (account.factor && account.factor.createdAt > change.at) account.factor = null;
  for (const which of ['church', 'clinic', 'wallet'] as const)
    if (account[which] && account[which].createdAt > change.at) account[which] = null;
  account.passkeys = account.passkeys.filter(({ createdAt }) => createdAt <= change.at);
  if (account.factor?.byPasskey && account.passkeys.length === 0) account.factor = null;
  if (account.phone && account.phone.createdAt > change.at) account.phone = null;
  account.address = change.former;
  account.verified = true;
  if (change.former === 'other') m.exposed.add('mailbox');
  account.changes = account.changes.slice(0, account.changes.indexOf(change));
}

export function undoAddressChange(m: Model, person: Person, link: Link): Outcome {
  const change = m.account?.changes.find((one) => one.link === link.id && m.now < one.at + 7 * day);
  if (!change) return refused('address_change');
  if (m.now >= change.at + 72 * hour) return refused('undo_over');
  giveBack(m, change);
  const { id } = newLink(m, { kind: 'reset-password', whose: 'account' }, [person], hour);
  return { ...done('address_change_undone'), shown: id };
}

export function confirmAddressChange(m: Model, link: Link): Outcome {
  const account = m.account;
  const change = account?.changes.find((one) => one.link === link.id && m.now < one.at + 7 * day);
  if (!account || !change) return refused('address_change');
  account.changes = account.changes.filter((one) => one !== change);
  const mails = account.verified ? [] : mailLink(m, 'verify', 'account')!;
  return { ...done('address_change_confirmed'), mails };
}

// The attacker gets something

export function learnPassword(m: Model): void {
  const { password } = m.account ?? {};
  if (!password) return;
  m.passwords.attacker.push(password.text);
  noteExposed(m, 'password');
}

export function copyCard(m: Model, from: Place, to: Place): void {
  m.cards[to] = { ...m.cards[from]! };
  noteExposed(m, 'session');
}

export function learnFactor(m: Model): void {
  const { factor } = m.account ?? {};
  if (factor && factor.holders.length > 0) factor.holders.push('attacker');
  factor?.backup.holders.push('attacker');
}

export function learnLatestLink(m: Model): void {
  const link = m.links.at(-1);
  if (!link) return;
  link.holders = ['owner', 'attacker'];
  m.exposed.add('link');
}

export function learnApiToken(m: Model): void {
  m.apiTokensSeenBy.attacker.push(...m.apiTokensSeenBy.owner.slice(-1));
  m.exposed.add('api_token');
}

export function learnRecoveryKey(m: Model): void {
  m.recoveryKeysSeenBy.attacker.push(...m.recoveryKeysSeenBy.owner.slice(-1));
  m.exposedWords.add('recovery key');
}

export function learnLatestCode(m: Model): void {
  m.codesSeenBy.attacker.push(...m.codesSeenBy.owner.slice(-1));
  m.exposed.add('code');
}

/** Worth something only with the verifier, so only of a sign-in that the attacker began. */
export function learnLatestReturnCode(m: Model): void {
  const code = m.returnCodesSeenBy.owner.at(-1);
  if (code === undefined) return;
  m.returnCodesSeenBy.attacker.push(code);
  const { verifier } = m.returns.find((one) => one.code === code) ?? {};
  if (verifier !== undefined && m.verifiersOf.attacker.includes(verifier)) m.exposed.add('return');
}

// Time

/** Returns true if the account was erased meanwhile. */
export function pass(m: Model, milliseconds: number): boolean {
  m.now += milliseconds;
  const { account } = m;
  if (account?.deleteAfter == null || m.now < account.deleteAfter) return false;
  // The hourly check finds it.
  m.now += 2 * hour;
  m.account = null;
  endOtherSessions(m, null);
  endAccountLinks(m);
  if (account.address === 'home') m.signUps = [];
  return true;
}
