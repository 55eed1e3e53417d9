import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { personalScopes, siteScopes } from '#/kernel/actor.ts';
import { maxTokenDays } from './rules.ts';

export const apiToken = z.object({
  id: uuid,
  name: z.string(),
  scopes: z.array(z.enum([...personalScopes, ...siteScopes])),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Rounded to the minute. */
  usedAt: z.iso.datetime().nullable(),
});

export type ApiTokenView = z.infer<typeof apiToken>;

/** Shown only once: only a hash is stored. */
const madeApiToken = apiToken.extend({ token: z.string() });

export type MadeApiToken = z.infer<typeof madeApiToken>;

const own = procedure.meta({ access: 'signed_in' });
const list = z.array(apiToken);

export const apiTokensContract = {
  /** Oldest first, without expired ones. */
  list: own.route({ method: 'GET', path: '/me/api-tokens' }).output(list),
  create: own
    .meta({
      writes: ['api_token_created security person'],
      example: () => ({ name: 'Front desk', scopes: ['appointments:read'], days: 90 }),
    })
    .route({ method: 'POST', path: '/me/api-tokens', successStatus: 201 })
    .input(
      z.object({
        id: uuid.optional(),
        name: line.min(1).max(60),
        scopes: z.array(z.enum(personalScopes)).min(1).max(personalScopes.length),
        days: z.number().int().min(1).max(maxTokenDays),
      }),
    )
    .output(madeApiToken),
  revoke: own
    .meta({ writes: ['api_token_revoked security person'], example: ({ id }) => ({ id }) })
    .route({ method: 'POST', path: '/me/api-tokens/{id}/revoke' })
    .input(z.object({ id: uuid }))
    .output(list),
};
