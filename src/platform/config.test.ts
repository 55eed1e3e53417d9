import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveEnvironment } from '../../scripts/bootstrap.mjs';
import { rowsUnder } from '../../tests/support/documents.ts';
import { productionEnvironment } from '../../tests/support/production.ts';
import { readConfig } from './config.ts';
import { StartError } from './start-error.ts';

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'italk-config-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const production = {
  ...productionEnvironment(),
  ADMIN_EMAILS: 'Admin@Care.Example, second@care.example',
  ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}`,
  PRIVATE_NOTES_KEYS: `p1:${'B'.repeat(42)}A`,
  BACKUP_KEYS: `b1:${'C'.repeat(42)}A`,
};

/** Minimal demo configuration. */
const demo = { ITALK_MODE: 'demo', APP_URL: undefined, SMTP_URL: undefined };

describe('the mode', () => {
  const modeOf = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env }).mode;

  it('is production in the shipped environment', () => {
    expect(readConfig(productionEnvironment({ DATA_DIR: dataDir }))).toMatchObject({
      mode: 'production',
      openDemo: false,
      dataDir,
    });
  });

  it.each([
    ['ITALK_MODE', undefined],
    ['ITALK_MODE', ''],
  ])('is refused, not demo, in a production environment with %s set to %j', (name, value) => {
    expect(() => readConfig({ ...production, DATA_DIR: dataDir, [name]: value })).toThrow(
      'ITALK_MODE isn’t set, but this configuration has DATABASE_URL and an https APP_URL and SMTP_URL: set ITALK_MODE=production.',
    );
  });

  it.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', ''],
    ['HOST', '192.168.1.2'],
    ['HOST', '127.0.0.1.example.org'],
    ['DATABASE_URL', 'postgresql://127.0.0.1/italk'],
    ['APP_URL', 'https://care.example'],
    ['APP_URL', ' HTTPS://care.example'],
    ['APP_URL', 'http://care.example'],
    ['APP_URL', 'care.example'],
    ['SMTP_URL', 'smtp://127.0.0.1'],
  ])('must be set alongside %s=%s', (name, value) => {
    const refused = /^ITALK_MODE isn’t set, but this configuration has .*: set ITALK_MODE=production[^:]*\.$/;
    expect(() => modeOf({ [name]: value })).toThrow(refused);
    expect(() => modeOf({ [name]: value, ITALK_MODE: '' })).toThrow(refused);
  });

  it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('defaults to demo on %s', (HOST) => {
    expect(readConfig({ DATA_DIR: dataDir, HOST, APP_URL: 'http://localhost:3000' })).toMatchObject({
      mode: 'demo',
      openDemo: false,
    });
  });

  it('set to demo allows another host, shown on pages, and a database', () => {
    const said = { DATA_DIR: dataDir, ITALK_MODE: 'demo' };
    expect(readConfig({ ...said, HOST: '0.0.0.0' })).toMatchObject({ mode: 'demo', openDemo: true });
    expect(readConfig({ ...said, HOST: '' }).openDemo).toBe(true);
    // A local proxy may forward outside traffic.
    expect(readConfig({ ...said, APP_URL: 'http://demo.example' }).openDemo).toBe(true);
    expect(readConfig({ ...said, DATABASE_URL: 'postgresql://127.0.0.1/italk' }).openDemo).toBe(false);
  });

  it.each([
    ['APP_URL', 'https://care.example'],
    ['SMTP_URL', 'smtp://127.0.0.1'],
  ])('set to demo is refused with %s=%s', (name, value) => {
    expect(() => modeOf({ ITALK_MODE: 'demo', [name]: value })).toThrow(
      new RegExp(`^ITALK_MODE=demo can’t be used with .*${name}.*\\. Set ITALK_MODE=production`),
    );
  });

  it('is production by NODE_ENV, which npm start sets without choosing a mode', () => {
    expect(modeOf({ ...production, NODE_ENV: 'production' })).toBe('production');
    expect(() => modeOf({ NODE_ENV: 'production' })).toThrow(/^This production configuration is unsafe/);
    expect(modeOf({ ...liveEnvironment({}) })).toBe('demo');
    expect(() => modeOf({ ...production, ...liveEnvironment({}) })).toThrow(/^ITALK_MODE isn’t set/);
    expect(liveEnvironment({ NODE_ENV: 'production' }).ITALK_MODE).toBe('production');
  });
});

describe('without configuration', () => {
  it('is the local demo, with a secret created once and readable only by its owner', () => {
    const first = readConfig({ DATA_DIR: dataDir });
    expect(first).toMatchObject({
      mode: 'demo',
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: null,
      smtpUrl: null,
      supportPhone: '+1 555 010 0188',
    });
    expect(first.adminEmails).toEqual(['admin@italk.example']);
    expect(readConfig({ DATA_DIR: dataDir }).authSecret).toBe(first.authSecret);
    expect(statSync(join(dataDir, 'auth-secret')).mode & 0o077).toBe(0);
  });
});

describe('in production', () => {
  it.each([
    ['DATABASE_URL', 'postgresql://db.example/italk?sslmode=verify-full'],
    ['DATABASE_URL', 'postgresql://db.example/italk?sslmode=require'],
    ['DATABASE_URL', 'postgresql://db.example/italk?uselibpqcompat=true&sslmode=verify-full'],
    ['SMTP_URL', 'smtps://mail.example?tls.rejectUnauthorized=true'],
    ['SMTP_URL', 'smtp://localhost:25?tls.rejectUnauthorized=false'],
    ['DATABASE_URL', 'postgresql://[::1]:5432/italk'],
    ['DATABASE_URL', 'postgresql:///italk?host=/run/postgresql'],
    ['DATABASE_URL', 'postgresql://italk@/italk?host=/run/postgresql'],
    ['DATABASE_URL', 'postgresql://italk@%2Frun%2Fpostgresql/italk'],
    ['SMTP_URL', 'smtps://mail.example'],
    ['SMTP_URL', 'smtp://mail.example:587?requireTLS=true'],
    ['SMTP_URL', 'smtp://localhost:25'],
  ])('accepts %s=%s, which is encrypted or local', (name, value) => {
    expect(readConfig({ ...production, DATA_DIR: dataDir, [name]: value }).mode).toBe('production');
  });

  it('shows only a valid, configured phone number', () => {
    expect(readConfig({ ...production, DATA_DIR: dataDir }).supportPhone).toBeNull();
    const given = { ...production, DATA_DIR: dataDir, SUPPORT_PHONE: '+1 (212) 555-0100' };
    expect(readConfig(given).supportPhone).toBe('+1 (212) 555-0100');
    expect(() => readConfig({ ...given, SUPPORT_PHONE: 'call us' })).toThrow(StartError);
  });

  it('accepts a safe configuration and writes nothing', () => {
    const empty = mkdtempSync(join(tmpdir(), 'italk-config-'));
    const config = readConfig({ ...production, DATA_DIR: empty });
    expect(config).toMatchObject({
      mode: 'production',
      adminEmails: ['admin@care.example', 'second@care.example'],
    });
    expect(readdirSync(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });

  it.each([
    'DATABASE_URL',
    'APP_URL',
    'AUTH_SECRET',
    'ENCRYPTION_KEYS',
    'PRIVATE_NOTES_KEYS',
    'BACKUP_KEYS',
    'ADMIN_EMAILS',
    'SMTP_URL',
    'MAIL_FROM',
    'TRUSTED_PROXIES',
  ])('refuses to start without %s and names it', (name) => {
    expect(() => readConfig({ ...production, [name]: undefined })).toThrow(
      new RegExp(`unsafe: (?:set|remove|add .* to) ${name}`),
    );
  });

  it.each([
    ['APP_URL', 'http://care.example'],
    ['APP_URL', 'https://care.example/app'],
    ['DATABASE_URL', 'mysql://db/italk'],
    ['ADMIN_EMAILS', 'admin'],
    ['ADMIN_EMAILS', 'admin@care.example,'],
    ['SMTP_URL', 'mail.care.example'],
    ['MAIL_FROM', 'Care'],
    ['S3_ENDPOINT', 'http://s3.example'],
    ['DATABASE_URL', 'postgresql://db.example/italk'],
    ['DATABASE_URL', 'postgresql://italk@/italk?host=db.example'],
    ['DATABASE_URL', 'postgresql://127.0.0.1/italk?host=db.example'],
    ['DATABASE_URL', 'postgresql://db.example/italk?sslmode=prefer'],
    ['DATABASE_URL', 'postgresql://db.example/italk?sslmode=verify-full&sslmode=disable'],
    ['DATABASE_URL', 'postgresql://db.example/italk?sslmode=no-verify'],
    ['DATABASE_URL', 'postgresql://db.example/italk?uselibpqcompat=true&sslmode=require'],
    [
      'DATABASE_URL',
      'postgresql://db.example/italk?sslmode=verify-ca&sslrootcert=ca.pem&uselibpqcompat=true',
    ],
    ['SMTP_URL', 'smtps://mail.example?tls.rejectUnauthorized=false'],
    ['SMTP_URL', 'smtp://mail.example:587?requireTLS=true&tls.rejectUnauthorized=0'],
    ['SMTP_URL', 'smtps://mail.example?tls.rejectUnauthorized=false&tls.rejectUnauthorized=true'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
    ['SMTP_URL', 'smtp://mail.example:587'],
    ['SMTP_URL', 'smtp://mail.example:587?requireTLS=false'],
    ['SMTP_URL', 'smtp://mail.example:587?requireTLS=true&ignoreTLS=true'],
    ['RATE_LIMIT_FACTOR', '1000'],
    ['ITALK_DEV', '1'],
    ['AUTH_SECRET', 'short'],
    ['ENCRYPTION_KEYS', 'k1:short'],
    ['PRIVATE_NOTES_KEYS', 'p1:short'],
    ['BACKUP_KEYS', 'b1:short'],
  ])('refuses an unsafe %s such as %s and names it', (name, value) => {
    expect(() => readConfig({ ...production, [name]: value })).toThrow(
      new RegExp(`unsafe: (?:set|remove|add .* to) ${name}`),
    );
  });
});

it.each([
  ['the same key', `p1:${'A'.repeat(43)}`],
  ['the same key among others, written differently', `p2:${'B'.repeat(42)}A, k9:${'A'.repeat(43)}=`],
])('refuses %s for private notes and other data, even in the demo', (_, keys) => {
  const given = { ...production, DATA_DIR: dataDir, PRIVATE_NOTES_KEYS: keys };
  for (const mode of [{}, demo])
    expect(() => readConfig({ ...given, ...mode })).toThrow(
      /^PRIVATE_NOTES_KEYS and ENCRYPTION_KEYS share a key/,
    );
});

it.each([
  ['all else', `b1:${'A'.repeat(43)}`],
  ['private notes, written differently', `b2:${'C'.repeat(42)}A, b3:${'B'.repeat(42)}A=`],
])('refuses the backup key of %s, even in the demo', (_, keys) => {
  const given = { ...production, DATA_DIR: dataDir, BACKUP_KEYS: keys };
  for (const mode of [{}, demo])
    expect(() => readConfig({ ...given, ...mode })).toThrow(/^BACKUP_KEYS shares a key/);
});

it('refuses invalid backup keys, even in the demo', () => {
  expect(() => readConfig({ DATA_DIR: dataDir, BACKUP_KEYS: 'b1:short' })).toThrow(/^BACKUP_KEYS can’t/);
});

it('creates one backup key for the demo, with backups in the data folder by default', () => {
  const first = readConfig({ DATA_DIR: dataDir });
  expect(readConfig({ DATA_DIR: dataDir }).backupKeys).toBe(first.backupKeys);
  expect(new Set([first.backupKeys, first.encryptionKeys, first.privateNotesKeys]).size).toBe(3);
  expect(statSync(join(dataDir, 'backup-key')).mode & 0o077).toBe(0);
  expect(first.backupDir).toBe(join(dataDir, 'backups'));
  expect(readConfig({ DATA_DIR: dataDir, BACKUP_DIR: '/mnt/far' }).backupDir).toBe('/mnt/far');
});

it('creates one separate private notes key for the demo', () => {
  const first = readConfig({ DATA_DIR: dataDir });
  expect(readConfig({ DATA_DIR: dataDir }).privateNotesKeys).toBe(first.privateNotesKeys);
  expect(first.privateNotesKeys).not.toBe(first.encryptionKeys);
  expect(statSync(join(dataDir, 'private-notes-key')).mode & 0o077).toBe(0);
});

it.each([
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['TRUSTED_PROXIES', '-1'],
  ['DATABASE_POOL', '1'],
  ['ITALK_MODE', 'staging'],
  ['ITALK_ROLE', 'cron'],
  ['WALLET_SIGN_IN', 'TRUE'],
  ['HIPAA_ATTESTED', 'yes'],
])('explains how to set %s when it is %s', (name, value) => {
  expect(() => readConfig({ DATA_DIR: dataDir, [name]: value })).toThrow(
    new RegExp(`^${name} is "${value}"\\. Set it to`),
  );
});

describe('sign-in with wallets', () => {
  const walletsAt = (APP_URL?: string) =>
    readConfig({ ...production, DATA_DIR: dataDir, WALLET_SIGN_IN: 'true', ...(APP_URL && { APP_URL }) })
      .walletSignIn;

  it.each([
    'https://care.example',
    'https://care.example:8443',
    'https://10.0.0.7',
    'https://localhost:3000',
    'https://xn--gnade-kirche.xn--p1ai',
  ])('can be offered at %s, which wallets take', async (appUrl) => {
    expect(walletsAt(appUrl)).toBe(true);
    const { createSiweMessage } = await import('viem/siwe');
    const parts = { address: `0x${'0'.repeat(40)}`, version: '1', chainId: 1, nonce: '12345678' } as const;
    expect(createSiweMessage({ ...parts, domain: new URL(appUrl).host, uri: appUrl })).toContain(appUrl);
  });

  it.each(['https://intranet', 'https://[fd00::7]', 'https://my_care.example', 'https://care.local1'])(
    'isn’t started at %s, which they refuse',
    (appUrl) => {
      expect(() => walletsAt(appUrl)).toThrow(/^WALLET_SIGN_IN needs an APP_URL with a full domain/);
    },
  );
});

describe('the replica’s database URL', () => {
  const replicaUrlOf = (DATABASE_REPLICA_URL: string) =>
    readConfig({ ...production, DATA_DIR: dataDir, DATABASE_REPLICA_URL }).databaseReplicaUrl;

  it('names the same database on another server', () => {
    const url = 'postgresql://italk@standby.example/italk?sslmode=verify-full';
    expect(replicaUrlOf(url)).toBe(url);
  });

  it.each([
    ['postgresql://italk@standby.example/italk', 'add ?sslmode=verify-full to DATABASE_REPLICA_URL too'],
    ['postgresql://127.0.0.1/other', 'name different databases'],
  ])('isn’t %s', (url, fault) => {
    expect(() => replicaUrlOf(url)).toThrow(fault);
  });
});

describe('the table owner’s database URL', () => {
  const ownerUrlOf = (DATABASE_OWNER_URL: string) =>
    readConfig({ ...production, DATA_DIR: dataDir, DATABASE_OWNER_URL }).databaseOwnerUrl;

  it('names the same database with another account', () => {
    const url = 'postgresql://owner:secret@127.0.0.1:5432/italk';
    expect(ownerUrlOf(url)).toBe(url);
  });

  it.each([
    ['owner', 'other', 'name different databases'],
    ['italk', 'italk', 'use the same account'],
  ])('is refused as %s of the database %s', (account, database, refusal) => {
    expect(() => ownerUrlOf(`postgresql://${account}:secret@127.0.0.1:5432/${database}`)).toThrow(refusal);
  });
});

describe('files in S3', () => {
  const whole = {
    S3_ENDPOINT: 'https://s3.example',
    S3_REGION: 'eu-central-1',
    S3_BUCKET: 'care',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  };

  it('are used when fully configured; the data folder, when not at all', () => {
    expect(readConfig({ DATA_DIR: dataDir }).s3).toBeNull();
    expect(readConfig({ DATA_DIR: dataDir, ...whole }).s3).toEqual({
      endpoint: 'https://s3.example',
      region: 'eu-central-1',
      bucket: 'care',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
  });

  it.each(Object.keys(whole))('require %s', (name) => {
    expect(() => readConfig({ DATA_DIR: dataDir, ...whole, [name]: '' })).toThrow(name);
  });

  it('require a URL, not just a name', () => {
    expect(() => readConfig({ DATA_DIR: dataDir, ...whole, S3_ENDPOINT: 's3' })).toThrow('S3_ENDPOINT');
  });
});

describe('the connection between browsers', () => {
  const turn = {
    TURN_URLS: 'turn:relay.example:3478?transport=udp, turns:relay.example',
    TURN_SECRET: 'shared',
  };
  const relayOf = (env: Record<string, string>) => readConfig({ DATA_DIR: dataDir, ...env }).relay;

  it('is direct unless servers are configured', () => {
    expect(relayOf({})).toEqual({ stunUrls: [], turn: null });
    expect(relayOf({ STUN_URLS: '', TURN_URLS: ' , ', TURN_SECRET: '' })).toEqual({
      stunUrls: [],
      turn: null,
    });
    expect(relayOf({ ...turn, STUN_URLS: 'stun:relay.example:3478,stuns:[2001:db8::1]:5349' })).toEqual({
      stunUrls: ['stun:relay.example:3478', 'stuns:[2001:db8::1]:5349'],
      turn: { urls: ['turn:relay.example:3478?transport=udp', 'turns:relay.example'], secret: 'shared' },
    });
  });

  it.each(Object.keys(turn))('requires %s together with the other', (name) => {
    expect(() => relayOf({ ...turn, [name]: '' })).toThrow(
      new StartError(`To relay calls, set ${name} too`).message,
    );
  });

  it.each([
    ['STUN_URLS', 'relay.example:3478'],
    ['STUN_URLS', 'https://relay.example'],
    ['STUN_URLS', 'stun://relay.example'],
    ['STUN_URLS', 'stun:relay.example?transport=udp'],
    ['STUN_URLS', 'turn:relay.example'],
    ['TURN_URLS', 'stun:relay.example'],
    ['TURN_URLS', 'turn:'],
    ['TURN_URLS', 'turn:user@relay.example'],
    ['TURN_URLS', 'turn:relay.example:port'],
    ['TURN_URLS', 'turn:relay.example?transport=sctp'],
  ])('explains how to set %s when it is %s', (name, url) => {
    const given = {
      ...turn,
      [name]: `${name === 'TURN_URLS' ? 'turn:relay.example' : 'stun:relay.example'},${url}`,
    };
    expect(() => relayOf(given)).toThrow(StartError);
    expect(() => relayOf(given)).toThrow(`${name} has "${url}". Set it to addresses such as `);
  });
});

it('names no server that the guide’s list of connections leaves out', () => {
  const listed = rowsUnder('docs/operating.md', 'What it connects to').flat().join(' ');
  const source = globSync('src/platform/**/*.ts', { exclude: ['**/*.test.ts'] })
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const named = new Set(source.match(/(?<=env\.)[A-Z\d_]*(?:URLS?|ENDPOINT|PROVIDERS)\b/g));
  // Where iTalk itself is reached.
  named.delete('APP_URL');
  expect(named.size).toBeGreaterThan(7);
  for (const name of named) expect(listed).toContain(`\`${name}\``);
});
