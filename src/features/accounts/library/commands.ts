import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { BetterAuthOptions } from 'better-auth/types';
import { longestSessionHours } from '../rules.ts';
import { currentVisit, identityStorage } from '../storage/commands.ts';
import { hashPassword, provePassword } from '#/platform/password-hash.ts';
import { digest } from '#/platform/tokens.ts';

interface LibraryConfig {
  appUrl: string;
  secret: string;
  secure: boolean;
  demo: boolean;
  adminEmails: readonly string[];
  newId: () => string;
}

/** Configures Better Auth for passwords and sessions, with weak defaults disabled. */
export function libraryOptions({
  appUrl,
  secret,
  secure,
  demo,
  adminEmails,
  newId,
}: LibraryConfig): BetterAuthOptions {
  return {
    appName: 'iTalk',
    baseURL: appUrl,
    basePath: '/api/auth',
    secret,
    database: identityStorage({ adminEmails, trustsAddresses: demo }),
    // Better Auth logs email addresses, and its rate limiter trusts any forwarded IP. We use our own.
    logger: { disabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Logs unexpected errors with their request.
    onAPIError: { throw: true },
    advanced: {
      cookiePrefix: 'italk',
      useSecureCookies: secure,
      ipAddress: { disableIpTracking: true },
      database: { generateId: newId },
    },
    emailAndPassword: {
      enabled: true,
      // Callers enforce the site's minimum, so changing the setting doesn't require a new library instance.
      minPasswordLength: 1,
      maxPasswordLength: 128,
      requireEmailVerification: !demo,
      password: {
        hash: async (password) => {
          const known = await hashPassword(password);
          currentVisit().password = known;
          return known.hash;
        },
        verify: verifyForVisit,
      },
    },
    plugins: [{ id: 'italk', endpoints: { signInLink } }],
    verification: {
      modelName: 'verifications',
      fields: timestamps({ expiresAt: 'expires_at' }),
      storeIdentifier: { hash: (identifier) => Promise.resolve(digest(identifier)) },
    },
    user: { modelName: 'users', fields: timestamps({ emailVerified: 'email_verified' }) },
    session: {
      modelName: 'sessions',
      // Cookie lifetime only; the session row decides.
      expiresIn: longestSessionHours * 3600,
      fields: timestamps({
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      }),
    },
    account: {
      modelName: 'credentials',
      fields: timestamps({
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      }),
    },
  };
}

/** The password may change before the session exists. */
async function verifyForVisit({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const known = await provePassword(password, hash);
  if (known) Object.assign(currentVisit(), { passwordHash: hash, password: known });
  return known !== null;
}

/** The caller has already consumed the link token. */
const signInLink = createAuthEndpoint('/sign-in/link', { method: 'POST' }, async (call) => {
  const { internalAdapter } = call.context;
  const user = await internalAdapter.findUserById(currentVisit().userId ?? '');
  if (!user) throw new Error('the sign-in link has no user');
  const session = await internalAdapter.createSession(user.id);
  await setSessionCookie(call, { session, user });
  return call.json({});
});

function timestamps<T extends Record<string, string>>(
  fields: T,
): T & { createdAt: string; updatedAt: string } {
  return { ...fields, createdAt: 'created_at', updatedAt: 'updated_at' };
}
