import { scopesWithin } from '#/features/access/rules.ts';
import { personalScopes, siteScopes, type PersonalScope, type Role, type SiteScope } from '#/kernel/actor.ts';

/** Tokens per account that haven't expired. */
export const maxApiTokens = 10;

/** Tokens of the site that haven't expired. */
export const maxSiteTokens = 20;

export const maxTokenDays = 366;
export const maxSiteTokenDays = 365;

/** Days a token may last, as the screen offers them. */
export const tokenDays = [30, 90, 365] as const;

/** Lets secret scanners find tokens in code. */
export const tokenPrefix = 'italk_';

export function isApiToken(bearer: string): boolean {
  return bearer.startsWith(tokenPrefix);
}

/** For a person's own tokens. */
export function scopesFor(role: Role): PersonalScope[] {
  return scopesWithin(role, personalScopes);
}

/** For the site's tokens. */
export function siteScopesFor(role: Role): SiteScope[] {
  return scopesWithin(role, siteScopes);
}
