import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openKeyring } from './crypto/keyring.ts';
import { makeDataDir } from './data-dir.ts';
import { StartError } from './start-error.ts';

/** Where the bytes of files lie that aren't in a local folder. */
export interface S3Config {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The servers that help browsers find a way to each other, and the one that carries their calls where there is none. */
export interface RelayConfig {
  stunUrls: readonly string[];
  /** `secret` is coturn's static-auth-secret. Null: calls go directly, or not at all. */
  turn: { urls: readonly string[]; secret: string } | null;
}

/** Everything that the environment decides, parsed once and passed down. */
export interface Config {
  mode: 'demo' | 'production';
  host: string;
  port: number;
  /** Where all state lives that isn't in a named database. */
  dataDir: string;
  /** Null: the program runs its own PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  poolSize: number;
  /** Null: files lie in `dataDir`. */
  s3: S3Config | null;
  relay: RelayConfig;
  /** The address that people see, without a trailing slash. */
  appUrl: string;
  authSecret: string;
  /** `id:key,…`: the first seals private words, all open them. */
  encryptionKeys: string;
  /** The same for private notes about clients: keys of their own, none of them among `encryptionKeys`. */
  privateNotesKeys: string;
  /** The same for backups, again keys of their own. */
  backupKeys: string;
  /** The folder that backups are written into. */
  backupDir: string;
  /** Lower case. */
  adminEmails: readonly string[];
  smtpUrl: string | null;
  mailFrom: string;
  hipaaAttested: boolean;
  /** Where people can call, as they read it; null: by mail alone. */
  supportPhone: string | null;
  /** How many proxies in front are ours: the address is taken that many steps from the right of X-Forwarded-For. */
  trustedProxies: number;
  /** Multiplies every rate limit; 1 but for load tests. */
  rateLimitFactor: number;
  logLevel: string;
  /** Serve pages from sources and reload them on save. */
  dev: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration; without any it is the safe local demo. Throws a StartError that names every fault. */
export function readConfig(env: Environment): Config {
  const databaseUrl = env.DATABASE_URL ?? null;
  // `npm start` runs with NODE_ENV=production for React's sake, and says in ITALK_MODE what it is.
  const mode = modeOf(env);
  const host = env.HOST ?? '127.0.0.1';
  const port = wholeNumber('PORT', env.PORT ?? '3000', 0, 65_535);
  const dataDir = resolve(env.DATA_DIR ?? './.data');
  if (mode === 'production') refuseUnsafe(env);
  const keys = {
    encryptionKeys: env.ENCRYPTION_KEYS ?? `own:${ownSecret(dataDir, 'encryption-key')}`,
    privateNotesKeys: env.PRIVATE_NOTES_KEYS ?? `own:${ownSecret(dataDir, 'private-notes-key')}`,
    backupKeys: env.BACKUP_KEYS ?? `own:${ownSecret(dataDir, 'backup-key')}`,
  };
  refuseUnreadable('BACKUP_KEYS', keys.backupKeys);
  refuseSharedKeys(keys);
  return {
    mode,
    host,
    port,
    dataDir,
    databaseUrl,
    poolSize: wholeNumber('DATABASE_POOL', env.DATABASE_POOL ?? '10', 2, 200),
    s3: s3Of(env),
    relay: relayOf(env),
    appUrl: (env.APP_URL ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    authSecret: env.AUTH_SECRET ?? ownSecret(dataDir, 'auth-secret'),
    ...keys,
    backupDir: env.BACKUP_DIR ? resolve(env.BACKUP_DIR) : join(dataDir, 'backups'),
    adminEmails: (env.ADMIN_EMAILS ?? (mode === 'demo' ? 'admin@italk.example' : ''))
      .split(',')
      .map((address) => address.trim().toLowerCase())
      .filter(Boolean),
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? 'iTalk <no-reply@italk.example>',
    hipaaAttested: env.HIPAA_ATTESTED === 'true',
    supportPhone: phoneNumber(env.SUPPORT_PHONE) ?? (mode === 'demo' ? demoPhone : null),
    trustedProxies: wholeNumber('TRUSTED_PROXIES', env.TRUSTED_PROXIES ?? '0', 0, 10),
    rateLimitFactor: wholeNumber('RATE_LIMIT_FACTOR', env.RATE_LIMIT_FACTOR ?? '1', 1, 1_000_000),
    logLevel: env.LOG_LEVEL ?? (mode === 'demo' ? 'warn' : 'info'),
    dev: env.ITALK_DEV === '1',
  };
}

function modeOf(env: Environment): Config['mode'] {
  const mode = env.ITALK_MODE ?? (env.NODE_ENV === 'production' ? 'production' : 'demo');
  if (mode === 'demo' || mode === 'production') return mode;
  throw new StartError(`ITALK_MODE is "${mode}"; set it to demo or production.`);
}

/** Among the numbers that nobody has. */
const demoPhone = '+1 555 010 0188';

function phoneNumber(text: string | undefined): string | null {
  if (!text) return null;
  if (/^[+0-9][0-9 ().\-/]{4,39}$/.test(text)) return text;
  throw new StartError(`SUPPORT_PHONE is "${text}"; set it to a telephone number such as +1 555 010 0188.`);
}

const s3Names = {
  endpoint: 'S3_ENDPOINT',
  region: 'S3_REGION',
  bucket: 'S3_BUCKET',
  accessKeyId: 'S3_ACCESS_KEY_ID',
  secretAccessKey: 'S3_SECRET_ACCESS_KEY',
} as const;

/** All of it or none: half a configuration would store files where nobody looks for them. */
function s3Of(env: Environment): S3Config | null {
  const missing = Object.values(s3Names).filter((name) => !env[name]);
  if (missing.length === Object.keys(s3Names).length) return null;
  if (missing.length > 0) throw new StartError(`To keep files in S3, set ${missing.join(', ')} too.`);
  if (!URL.canParse(env.S3_ENDPOINT!))
    throw new StartError(`S3_ENDPOINT is "${env.S3_ENDPOINT}"; set it to the address of your S3 server.`);
  const values = Object.entries(s3Names).map(([key, name]) => [key, env[name]!] as const);
  return Object.fromEntries(values) as unknown as S3Config;
}

/** Of an address: a name or a number, and its port. */
const hostPart = String.raw`(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?`;
/** RFC 7064: STUN has no transport to choose. */
const stunUrl = new RegExp(`^stuns?:${hostPart}$`, 'i');
/** RFC 7065. */
const turnUrl = new RegExp(`^turns?:${hostPart}(?:\\?transport=(?:udp|tcp))?$`, 'i');

/** Addresses of relays and their secret, both or neither: one without the other carries no call. */
function relayOf(env: Environment): RelayConfig {
  const stunUrls = urlsOf('STUN_URLS', env.STUN_URLS, stunUrl, 'stun:stun.example.org:3478');
  const urls = urlsOf('TURN_URLS', env.TURN_URLS, turnUrl, 'turns:turn.example.org:5349?transport=tcp');
  const secret = env.TURN_SECRET;
  if (urls.length > 0 && !secret)
    throw new StartError('To relay calls, set TURN_SECRET too: the secret that your TURN server shares.');
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
  throw new StartError(`${name} has "${wrong}"; set it to addresses such as ${example}, by commas.`);
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new StartError(`${name} is "${text}"; set it to a whole number from ${least} to ${most}.`);
}

function refuseUnsafe(env: Environment): void {
  const faults: string[] = [];
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL ?? ''))
    faults.push('set DATABASE_URL to your PostgreSQL server, postgresql://…');
  if (!/^https:\/\/[^/?#]+\/?$/.test(env.APP_URL ?? ''))
    faults.push('set APP_URL to the https address that people open, without a path');
  if ((env.AUTH_SECRET ?? '').length < 32) faults.push('set AUTH_SECRET to at least 32 random characters');
  if (!areKeys(env.ENCRYPTION_KEYS ?? ''))
    faults.push('set ENCRYPTION_KEYS to id:key, a key of 32 random bytes in base64url');
  if (!areKeys(env.PRIVATE_NOTES_KEYS ?? ''))
    faults.push('set PRIVATE_NOTES_KEYS to id:key, another key of 32 random bytes in base64url');
  if (!areKeys(env.BACKUP_KEYS ?? ''))
    faults.push('set BACKUP_KEYS to id:key, a third key of 32 random bytes in base64url');
  if (!areAddresses(env.ADMIN_EMAILS ?? ''))
    faults.push('set ADMIN_EMAILS to the administrators’ addresses, by commas');
  if (!/^smtps?:\/\//.test(env.SMTP_URL ?? ''))
    faults.push('set SMTP_URL to your mail server, smtps://… or smtp://…');
  if (!/[^\s@<>]+@[^\s@<>]+/.test(env.MAIL_FROM ?? ''))
    faults.push('set MAIL_FROM to the address that mails come from');
  if (!env.TRUSTED_PROXIES) faults.push('set TRUSTED_PROXIES to how many proxies of yours stand in front');
  if (env.S3_ENDPOINT?.startsWith('http://'))
    faults.push('set S3_ENDPOINT to an https address: the bytes of files pass there');
  // Both are for those who work on the program.
  if ((env.RATE_LIMIT_FACTOR ?? '1') !== '1')
    faults.push('set RATE_LIMIT_FACTOR to nothing: it is for load tests');
  if (env.ITALK_DEV) faults.push('set ITALK_DEV to nothing: it serves pages from their sources');
  if (faults.length > 0)
    throw new StartError(`This production configuration is unsafe: ${faults.join('; ')}.`);
}

function areAddresses(text: string): boolean {
  return text.split(',').every((address) => /^[^\s@]+@[^\s@]+$/.test(address.trim()));
}

function areKeys(keys: string): boolean {
  try {
    openKeyring(keys);
    return true;
  } catch {
    return false;
  }
}

/** In the demo too: a backup that nobody could open must not be taken. */
function refuseUnreadable(name: string, keys: string): void {
  if (areKeys(keys)) return;
  throw new StartError(`${name} can’t be read; set it to id:key, a key of 32 random bytes in base64url.`);
}

/** Whoever gets hold of the keys of the one must not hold those of the other. */
function refuseSharedKeys({
  encryptionKeys,
  privateNotesKeys,
  backupKeys,
}: Pick<Config, 'encryptionKeys' | 'privateNotesKeys' | 'backupKeys'>): void {
  const bytesOf = (keys: string) =>
    keys.split(',').map((pair) => Buffer.from(pair.trim().split(':')[1] ?? '', 'base64url').toString('hex'));
  const general = new Set(bytesOf(encryptionKeys));
  if (bytesOf(privateNotesKeys).some((key) => general.has(key)))
    throw new StartError(
      'PRIVATE_NOTES_KEYS has a key of ENCRYPTION_KEYS; private notes need keys of their own.',
    );
  for (const key of bytesOf(privateNotesKeys)) general.add(key);
  if (bytesOf(backupKeys).some((key) => general.has(key)))
    throw new StartError(
      'BACKUP_KEYS has a key that seals what is backed up; backups need keys of their own.',
    );
}

/** Each of the demo's secrets is made once and kept, so that sessions and sealed words outlive a restart. */
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
        : `it can't be written (${code}): set DATA_DIR to a folder that can`;
    throw new StartError(`The data folder ${dataDir} can't be used; ${what}.`);
  }
  return secret;
}
