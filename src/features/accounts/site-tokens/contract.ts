import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { siteScopes } from '#/kernel/actor.ts';
import { apiToken } from '../api-tokens/contract.ts';
import { maxSiteTokenDays } from '../api-tokens/rules.ts';

const siteToken = apiToken.extend({
  /** Null once their account is deleted. */
  madeBy: z.object({ id: uuid, name: z.string() }).nullable(),
});

export type SiteTokenView = z.infer<typeof siteToken>;

/** Shown only once: only a hash is stored. */
const madeSiteToken = siteToken.extend({ token: z.string() });

export type MadeSiteToken = z.infer<typeof madeSiteToken>;

const administration = procedure.meta({ access: ['manage_settings'] });
const list = z.array(siteToken);

export const siteTokensContract = {
  /** Oldest first, without expired ones. */
  list: administration.route({ method: 'GET', path: '/admin/api-tokens' }).output(list),
  create: administration
    .meta({
      writes: ['site_token_created security site_token'],
      example: () => ({ name: 'Monitoring', scopes: ['health:read'], days: 90 }),
    })
    .route({ method: 'POST', path: '/admin/api-tokens', successStatus: 201 })
    .input(
      z.object({
        id: uuid.optional(),
        name: line.min(1).max(60),
        scopes: z.array(z.enum(siteScopes)).min(1).max(siteScopes.length),
        days: z.number().int().min(1).max(maxSiteTokenDays),
      }),
    )
    .output(madeSiteToken),
  revoke: administration
    .meta({ writes: ['site_token_revoked security site_token'], example: ({ id }) => ({ id }) })
    .route({ method: 'POST', path: '/admin/api-tokens/{id}/revoke' })
    .input(z.object({ id: uuid }))
    .output(list),
};
