import { openKeyring } from './keyring.ts';
import { StartError } from './start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a StartError listing every unsafe production setting. */
export function refuseUnsafe(env: Environment): void {
  const faults: string[] = [];
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL ?? ''))
    faults.push('set DATABASE_URL to your PostgreSQL server, postgresql://…');
  else if (isRemote(env.DATABASE_URL!) && !isEncryptedDatabase(env.DATABASE_URL!))
    faults.push(
      'set DATABASE_URL to a connection with TLS that checks the certificate, because its server is another machine: add ?sslmode=verify-full',
    );
  if (
    env.DATABASE_OWNER_URL &&
    isRemote(env.DATABASE_OWNER_URL) &&
    !isEncryptedDatabase(env.DATABASE_OWNER_URL)
  )
    faults.push(
      'set DATABASE_OWNER_URL to a connection with TLS that checks the certificate, too: add ?sslmode=verify-full',
    );
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
    faults.push('set SMTP_URL to your mail server, smtps://… or smtp://…?requireTLS=true');
  else if (isRemote(env.SMTP_URL!) && !isEncryptedMail(env.SMTP_URL!))
    faults.push(
      'set SMTP_URL to a connection with TLS that checks the certificate, because its server is another machine: smtps://… or smtp://…?requireTLS=true, without tls.rejectUnauthorized',
    );
  if (!/[^\s@<>]+@[^\s@<>]+/.test(env.MAIL_FROM ?? ''))
    faults.push('set MAIL_FROM to the address that mails come from');
  if (!env.TRUSTED_PROXIES) faults.push('set TRUSTED_PROXIES to how many proxies of yours stand in front');
  if (env.S3_ENDPOINT?.startsWith('http://'))
    faults.push('set S3_ENDPOINT to an https address: the bytes of files pass there');
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    faults.push('set NODE_TLS_REJECT_UNAUTHORIZED to nothing: with it no certificate is checked');
  if ((env.RATE_LIMIT_FACTOR ?? '1') !== '1')
    faults.push('set RATE_LIMIT_FACTOR to nothing: it is for load tests');
  if (env.ITALK_DEV) faults.push('set ITALK_DEV to nothing: it serves pages from their sources');
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
