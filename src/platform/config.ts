import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { areKeys, isLoopback, refuseUnsafe } from './config-safety.ts';
import { makeDataDir } from './data-dir.ts';
import type { Environment } from './environment.ts';
import { openIdProvidersOf, type OpenIdProvider } from './openid-providers.ts';
import { programRedirectsOf } from './program-redirects.ts';
import { samlProvidersOf, type SamlProvider } from './saml-providers.ts';
import { smsOf, type SmsConfig } from './sms-config.ts';
import { StartError } from './start-error.ts';

export interface S3Config {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface RelayConfig {
  stunUrls: readonly string[];
  /** `secret` is coturn's static-auth-secret. Null: no relay. */
  turn: { urls: readonly string[]; secret: string } | null;
}

const roles = ['all', 'web', 'worker'] as const;

export interface Config {
  mode: 'demo' | 'production';
  /** `web`: no jobs or schedules; `worker`: only probes. */
  role: (typeof roles)[number];
  /** A demo reachable from other machines: anyone can sign in with its published passwords. */
  openDemo: boolean;
  host: string;
  port: number;
  dataDir: string;
  /** Null: runs an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Past the pooler of `databaseUrl`, if any. */
  databaseDirectUrl: string | null;
  /** The same database as its table owner; null if the `databaseUrl` account owns the tables. */
  databaseOwnerUrl: string | null;
  /** Its hot standby. */
  databaseReplicaUrl: string | null;
  poolSize: number;
  /** Null: stores files in `dataDir`. */
  s3: S3Config | null;
  relay: RelayConfig;
  /** Public base URL, without a trailing slash. */
  appUrl: string;
  authSecret: string;
  /** `id:key,…`: the first key encrypts, all decrypt. */
  encryptionKeys: string;
  /** Keys for private notes about clients. Must not overlap with `encryptionKeys`. */
  privateNotesKeys: string;
  /** For backups. Must differ from the others. */
  backupKeys: string;
  backupDir: string;
  /** Lowercase. */
  adminEmails: readonly string[];
  /** OpenID Connect providers that people can sign in with, in the order shown. */
  openIdProviders: readonly OpenIdProvider[];
  /** SAML providers, shown after those. */
  samlProviders: readonly SamlProvider[];
  /** Allowed return addresses of other programs. If empty, links and providers can't return to programs. */
  programRedirects: readonly string[];
  /** Offers sign-in with connected Ethereum wallets. */
  walletSignIn: boolean;
  smtpUrl: string | null;
  /** Null: no texts. */
  sms: SmsConfig | null;
  mailFrom: string;
  hipaaAttested: boolean;
  /** Support phone number as displayed; null: email only. */
  supportPhone: string | null;
  /** Number of trusted proxies, counted from the right of X-Forwarded-For. */
  trustedProxies: number;
  /** Multiplies every rate limit; 1 except in load tests. */
  rateLimitFactor: number;
  /** Seconds to keep serving after a stop signal, so load balancers can notice the failing readiness check. */
  drainSeconds: number;
  logLevel: string;
  dev: boolean;
}

export const ownKeyFiles = {
  ENCRYPTION_KEYS: 'encryption-key',
  PRIVATE_NOTES_KEYS: 'private-notes-key',
  BACKUP_KEYS: 'backup-key',
} as const;

export const ownKeyId = 'own';

/** Parses the environment; an empty one gives a safe local demo. Throws a StartError listing every fault. */
export function readConfig(env: Environment): Config {
  const databaseUrl = env.DATABASE_URL || null;
  const host = env.HOST ?? '127.0.0.1';
  const mode = modeOf(env, host);
  const port = wholeNumber('PORT', env.PORT ?? '3000', 0, 65_535);
  const dataDir = resolve(env.DATA_DIR ?? './.data');
  if (mode === 'production') refuseUnsafe(env);
  const keys = {
    encryptionKeys: env.ENCRYPTION_KEYS ?? ownKeys(dataDir, 'ENCRYPTION_KEYS'),
    privateNotesKeys: env.PRIVATE_NOTES_KEYS ?? ownKeys(dataDir, 'PRIVATE_NOTES_KEYS'),
    backupKeys: env.BACKUP_KEYS ?? ownKeys(dataDir, 'BACKUP_KEYS'),
  };
  refuseUnreadable('BACKUP_KEYS', keys.backupKeys);
  refuseSharedKeys(keys);
  const loopback = mode === 'demo';
  const openIdProviders = openIdProvidersOf(env.OIDC_PROVIDERS, { loopback });
  const appUrl = (env.APP_URL ?? `http://localhost:${port}`).replace(/\/+$/, '');
  return {
    mode,
    role: roleOf(env.ITALK_ROLE || 'all'),
    openDemo: mode === 'demo' && !(isLoopback(host) && isLocalAddress(env.APP_URL)),
    host,
    port,
    dataDir,
    databaseUrl,
    databaseDirectUrl: directUrlOf(env),
    databaseOwnerUrl: ownerUrlOf(env),
    databaseReplicaUrl: otherUrlOf(env, 'DATABASE_REPLICA_URL'),
    poolSize: wholeNumber('DATABASE_POOL', env.DATABASE_POOL ?? '10', 2, 200),
    s3: s3Of(env),
    relay: relayOf(env),
    appUrl,
    authSecret: env.AUTH_SECRET ?? ownSecret(dataDir, 'auth-secret'),
    ...keys,
    backupDir: env.BACKUP_DIR ? resolve(env.BACKUP_DIR) : join(dataDir, 'backups'),
    adminEmails: (env.ADMIN_EMAILS ?? (mode === 'demo' ? 'admin@italk.example' : ''))
      .split(',')
      .map((address) => address.trim().toLowerCase())
      .filter(Boolean),
    openIdProviders,
    samlProviders: samlProvidersOf(env.SAML_PROVIDERS, { loopback, openIdProviders }),
    programRedirects: programRedirectsOf(env.PROGRAM_REDIRECTS, { loopback }),
    walletSignIn: isOn('WALLET_SIGN_IN', env.WALLET_SIGN_IN) && namesWalletDomain(appUrl),
    smtpUrl: env.SMTP_URL || null,
    sms: smsOf(env, { loopback }),
    mailFrom: env.MAIL_FROM ?? 'iTalk <no-reply@italk.example>',
    hipaaAttested: isOn('HIPAA_ATTESTED', env.HIPAA_ATTESTED),
    supportPhone: phoneNumber(env.SUPPORT_PHONE) ?? (mode === 'demo' ? demoPhone : null),
    trustedProxies: wholeNumber('TRUSTED_PROXIES', env.TRUSTED_PROXIES ?? '0', 0, 10),
    rateLimitFactor: wholeNumber('RATE_LIMIT_FACTOR', env.RATE_LIMIT_FACTOR ?? '1', 1, 1_000_000),
    drainSeconds: wholeNumber('DRAIN_SECONDS', env.DRAIN_SECONDS ?? (mode === 'demo' ? '0' : '5'), 0, 60),
    logLevel: env.LOG_LEVEL ?? (mode === 'demo' ? 'warn' : 'info'),
    dev: env.ITALK_DEV === '1',
  };
}

/**
 * Requires an explicit mode for production and for publicly reachable demos: forgetting ITALK_MODE must not expose a
 * real site through published passwords.
 */
function modeOf(env: Environment, host: string): Config['mode'] {
  // `npm start` sets NODE_ENV for React; its empty ITALK_MODE means unset.
  const mode = env.ITALK_MODE ?? (env.NODE_ENV === 'production' ? 'production' : '');
  if (mode === 'production') return mode;
  if (mode !== 'demo' && mode !== '')
    throw new StartError(`ITALK_MODE is "${mode}". Set it to demo or production.`);
  const real = [
    /^\s*https:/i.test(env.APP_URL ?? '') && 'an https APP_URL',
    env.SMTP_URL && 'SMTP_URL',
    /^\s*https:/i.test(env.SMS_URL ?? '') && 'an https SMS_URL',
  ].filter(Boolean);
  const own = [
    !isLoopback(host) && `HOST=${host}`,
    env.DATABASE_URL && 'DATABASE_URL',
    real.length === 0 && !isLocalAddress(env.APP_URL) && `APP_URL=${env.APP_URL}`,
  ].filter(Boolean);
  const found = [...(mode === 'demo' ? [] : own), ...real].join(' and ');
  if (!found) return 'demo';
  if (mode === 'demo')
    throw new StartError(
      `ITALK_MODE=demo can’t be used with ${found}, because anyone can sign in to a demo. Set ITALK_MODE=production, or remove ${found}.`,
    );
  throw new StartError(
    `ITALK_MODE isn’t set, but this configuration has ${found}: set ITALK_MODE=production${real.length > 0 ? '' : ', or ITALK_MODE=demo for a demo that anyone can sign in to'}.`,
  );
}

function roleOf(text: string): Config['role'] {
  const role = roles.find((one) => one === text);
  if (role) return role;
  throw new StartError(`ITALK_ROLE is "${text}". Set it to all, web or worker.`);
}

function isLocalAddress(appUrl: string | undefined): boolean {
  return !appUrl || isLoopback(URL.parse(appUrl)?.hostname ?? '');
}

function directUrlOf({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl }: Environment): string | null {
  if (!directUrl) return null;
  if (!url || !URL.canParse(url) || !URL.canParse(directUrl))
    throw new StartError('DATABASE_DIRECT_URL needs DATABASE_URL: set both, to postgresql://…');
  const [through, past] = [new URL(url), new URL(directUrl)];
  if (through.pathname !== past.pathname || through.username !== past.username)
    throw new StartError(
      'DATABASE_DIRECT_URL and DATABASE_URL differ in database or account. Only host and port may differ.',
    );
  return directUrl;
}

/** Returns another address of the same database; hosts may differ, for example behind a pooler. */
function otherUrlOf(env: Environment, name: 'DATABASE_OWNER_URL' | 'DATABASE_REPLICA_URL'): string | null {
  const { DATABASE_URL: url, [name]: otherUrl } = env;
  if (!otherUrl) return null;
  if (!url || !URL.canParse(url) || !URL.canParse(otherUrl))
    throw new StartError(`${name} needs DATABASE_URL: set both, to postgresql://…`);
  if (new URL(url).pathname !== new URL(otherUrl).pathname)
    throw new StartError(`${name} and DATABASE_URL name different databases. Use the same one in both.`);
  return otherUrl;
}

function ownerUrlOf(env: Environment): string | null {
  const ownerUrl = otherUrlOf(env, 'DATABASE_OWNER_URL');
  if (ownerUrl && new URL(ownerUrl).username === new URL(env.DATABASE_URL!).username)
    throw new StartError(
      'DATABASE_OWNER_URL and DATABASE_URL use the same account. Give the program its own in DATABASE_URL.',
    );
  return ownerUrl;
}

/** Wallets show a domain, an IPv4 address or localhost. Throws a StartError for any other host. */
function namesWalletDomain(appUrl: string): true {
  const host = URL.parse(appUrl)?.hostname ?? '';
  if (/^(localhost|(\d+\.){3}\d+|([a-z\d-]+\.)+([a-z]{2,}|xn--[a-z\d-]+))$/.test(host)) return true;
  throw new StartError(
    `WALLET_SIGN_IN needs an APP_URL with a full domain, such as https://care.example.org: wallets refuse “${host}”. Change APP_URL, or remove WALLET_SIGN_IN.`,
  );
}

/** A reserved fictional number. */
const demoPhone = '+1 555 010 0188';

function phoneNumber(text: string | undefined): string | null {
  if (!text) return null;
  if (/^[+0-9][0-9 ().\-/]{4,39}$/.test(text)) return text;
  throw new StartError(`SUPPORT_PHONE is "${text}". Set it to a telephone number such as +1 555 010 0188.`);
}

const s3Names = {
  endpoint: 'S3_ENDPOINT',
  region: 'S3_REGION',
  bucket: 'S3_BUCKET',
  accessKeyId: 'S3_ACCESS_KEY_ID',
  secretAccessKey: 'S3_SECRET_ACCESS_KEY',
} as const;

/** Requires all S3 settings or none: a partial configuration would silently store files locally. */
function s3Of(env: Environment): S3Config | null {
  const missing = Object.values(s3Names).filter((name) => !env[name]);
  if (missing.length === Object.keys(s3Names).length) return null;
  if (missing.length > 0) throw new StartError(`To keep files in S3, set ${missing.join(', ')} too.`);
  if (!URL.canParse(env.S3_ENDPOINT!))
    throw new StartError(`S3_ENDPOINT is "${env.S3_ENDPOINT}". Set it to the address of your S3 server.`);
  const values = Object.entries(s3Names).map(([key, name]) => [key, env[name]!] as const);
  return Object.fromEntries(values) as unknown as S3Config;
}

const hostPart = String.raw`(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?`;
/** RFC 7064: STUN URLs have no transport parameter. */
const stunUrl = new RegExp(`^stuns?:${hostPart}$`, 'i');
/** RFC 7065. */
const turnUrl = new RegExp(`^turns?:${hostPart}(?:\\?transport=(?:udp|tcp))?$`, 'i');

function relayOf(env: Environment): RelayConfig {
  const stunUrls = urlsOf('STUN_URLS', env.STUN_URLS, stunUrl, 'stun:stun.example.org:3478');
  const urls = urlsOf('TURN_URLS', env.TURN_URLS, turnUrl, 'turns:turn.example.org:5349?transport=tcp');
  const secret = env.TURN_SECRET;
  if (urls.length > 0 && !secret)
    throw new StartError('To relay calls, set TURN_SECRET too: the secret shared with your TURN server.');
  if (secret && urls.length === 0)
    throw new StartError('To relay calls, set TURN_URLS too: the addresses of your TURN server.');
  return { stunUrls, turn: secret ? { urls, secret } : null };
}

function urlsOf(name: string, text: string | undefined, form: RegExp, example: string): string[] {
  const urls = (text ?? '')
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean);
  const wrong = urls.find((url) => !form.test(url));
  if (wrong === undefined) return urls;
  throw new StartError(
    `${name} has "${wrong}". Set it to addresses such as ${example}, separated by commas.`,
  );
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new StartError(`${name} is "${text}". Set it to a whole number from ${min} to ${max}.`);
}

function isOn(name: string, text = ''): boolean {
  if (['', 'false', 'true'].includes(text)) return text === 'true';
  throw new StartError(`${name} is "${text}". Set it to true or false.`);
}

/** Applies to the demo as well: prevents backups encrypted with unusable keys. */
function refuseUnreadable(name: string, keys: string): void {
  if (areKeys(keys)) return;
  throw new StartError(
    `${name} can’t be read. Write each key as id:key, where key is 32 random bytes in base64url.`,
  );
}

/** A leaked key list must not unlock data encrypted under another list. */
function refuseSharedKeys({
  encryptionKeys,
  privateNotesKeys,
  backupKeys,
}: Pick<Config, 'encryptionKeys' | 'privateNotesKeys' | 'backupKeys'>): void {
  const bytesOf = (keys: string) =>
    keys.split(',').map((pair) => Buffer.from(pair.trim().split(':')[1] ?? '', 'base64url').toString('hex'));
  const general = new Set(bytesOf(encryptionKeys));
  if (bytesOf(privateNotesKeys).some((key) => general.has(key)))
    throw new StartError('PRIVATE_NOTES_KEYS and ENCRYPTION_KEYS share a key; give private notes their own.');
  for (const key of bytesOf(privateNotesKeys)) general.add(key);
  if (bytesOf(backupKeys).some((key) => general.has(key)))
    throw new StartError(
      'BACKUP_KEYS shares a key with ENCRYPTION_KEYS or PRIVATE_NOTES_KEYS; give backups their own.',
    );
}

function ownKeys(dataDir: string, name: keyof typeof ownKeyFiles): string {
  return `${ownKeyId}:${ownSecret(dataDir, ownKeyFiles[name])}`;
}

/** Generates a secret once and saves it, so sign-in sessions and encrypted text survive restarts. */
function ownSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const secret = randomBytes(32).toString('base64url');
  try {
    writeFileSync(join(makeDataDir(dataDir), name), secret, { mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const what =
      code === 'ENOSPC'
        ? 'the disk is full: free some space'
        : `it isn’t writable (${code}): set DATA_DIR to one that is`;
    throw new StartError(`The data folder ${dataDir} can’t be used; ${what}.`);
  }
  return secret;
}
