import type { Environment } from './environment.ts';
import { openKeyring } from './keyring.ts';
import { StartError } from './start-error.ts';

/** Throws a StartError listing every unsafe production setting. */
export function refuseUnsafe(env: Environment): void {
  const faults: string[] = [];
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL ?? ''))
    faults.push('set DATABASE_URL to your PostgreSQL server, postgresql://…');
  else if (isRemote(env.DATABASE_URL!) && !isEncryptedDatabase(env.DATABASE_URL!))
    faults.push(
      'add ?sslmode=verify-full to DATABASE_URL, because its server is another machine: connections need TLS that checks the certificate',
    );
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'] as const) {
    const url = env[name];
    if (url && isRemote(url) && !isEncryptedDatabase(url))
      faults.push(`add ?sslmode=verify-full to ${name} too`);
  }
  if (!/^https:\/\/[^/?#]+\/?$/.test(env.APP_URL ?? ''))
    faults.push('set APP_URL to the https address that people open, without a path');
  if ((env.AUTH_SECRET ?? '').length < 32) faults.push('set AUTH_SECRET to at least 32 random characters');
  if (!areKeys(env.ENCRYPTION_KEYS ?? ''))
    faults.push('set ENCRYPTION_KEYS to id:key, where key is 32 random bytes in base64url');
  if (!areKeys(env.PRIVATE_NOTES_KEYS ?? ''))
    faults.push('set PRIVATE_NOTES_KEYS to id:key, with a different key');
  if (!areKeys(env.BACKUP_KEYS ?? '')) faults.push('set BACKUP_KEYS to id:key, with a third key');
  if (!areAddresses(env.ADMIN_EMAILS ?? ''))
    faults.push('set ADMIN_EMAILS to the administrators’ email addresses, separated by commas');
  if (!/^smtps?:\/\//.test(env.SMTP_URL ?? ''))
    faults.push('set SMTP_URL to your mail server, smtps://… or smtp://…?requireTLS=true');
  else if (isRemote(env.SMTP_URL!) && !isEncryptedMail(env.SMTP_URL!))
    faults.push(
      'set SMTP_URL to smtps://… or smtp://…?requireTLS=true, without tls.rejectUnauthorized, because its server is another machine: connections need TLS that checks the certificate',
    );
  if (!/[^\s@<>]+@[^\s@<>]+/.test(env.MAIL_FROM ?? ''))
    faults.push('set MAIL_FROM to the address that emails come from');
  if (!env.TRUSTED_PROXIES)
    faults.push('set TRUSTED_PROXIES to the number of your proxies in front of iTalk');
  if (env.S3_ENDPOINT?.startsWith('http://'))
    faults.push('set S3_ENDPOINT to an https address: files are sent there');
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    faults.push('remove NODE_TLS_REJECT_UNAUTHORIZED: it turns off certificate checks');
  if ((env.RATE_LIMIT_FACTOR ?? '1') !== '1') faults.push('remove RATE_LIMIT_FACTOR: it is for load tests');
  if (env.ITALK_DEV) faults.push('remove ITALK_DEV: it serves pages from their sources');
  if (faults.length > 0)
    throw new StartError(`This production configuration is unsafe: ${faults.join('; ')}.`);
}

/** Returns false for loopback addresses and Unix sockets. */
function isRemote(url: string): boolean {
  const host = parameter(url, 'host') || decodeURIComponent(parsed(url)?.hostname ?? '?');
  return host !== '' && !host.startsWith('/') && !isLoopback(host);
}

/** The driver verifies certificate and host name in all three modes; under libpq semantics only verify-full does. */
function isEncryptedDatabase(url: string): boolean {
  const mode = parameter(url, 'sslmode');
  if (parameter(url, 'uselibpqcompat') === 'true') return mode === 'verify-full';
  return /^(require|verify-ca|verify-full)$/.test(mode);
}

/** nodemailer uses implicit TLS for smtps; otherwise STARTTLS is optional unless required. */
function isEncryptedMail(url: string): boolean {
  const checks = parsed(url)?.searchParams.getAll('tls.rejectUnauthorized') ?? [];
  if (checks.some((check) => check !== 'true')) return false;
  if (/^smtps:/i.test(url)) return true;
  return parameter(url, 'requireTLS') === 'true' && parameter(url, 'ignoreTLS') !== 'true';
}

function parameter(url: string, name: string): string {
  return parsed(url)?.searchParams.getAll(name).at(-1) ?? '';
}

/** PostgreSQL URLs may omit the host. */
function parsed(url: string): URL | null {
  return URL.parse(url) ?? URL.parse(url.replace('@/', '@localhost/'));
}

function areAddresses(text: string): boolean {
  return text.split(',').every((address) => /^[^\s@]+@[^\s@]+$/.test(address.trim()));
}

export function areKeys(keys: string): boolean {
  try {
    openKeyring(keys);
    return true;
  } catch {
    return false;
  }
}

/** Returns true for loopback hosts. An empty host means all interfaces. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
