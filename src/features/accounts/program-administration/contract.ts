import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import { emailAddress, personName } from '#/features/access/contract.ts';
import { roles } from '#/kernel/actor.ts';
import type { secondFactorContract } from '../second-factor/contract.ts';
import type { directoryContract } from '../users/contract.ts';
import { maxListed, maxSkipped } from '../users/rules.ts';

/** Administrators' guarded procedures, in process. */
export type Administration = ContractRouterClient<{
  directory: typeof directoryContract;
  secondFactor: typeof secondFactorContract;
}>;

/** Clients send missing values as empty texts. */
const counted = (usual: number, max: number) =>
  z
    .string()
    .default('')
    .transform((typed) => (typed === '' ? usual : Number(typed)))
    .pipe(z.int().min(1).max(max));

/** Inputs of `administrationRoutes`. */
export const administrationInputs = {
  page: z
    .object({ page: counted(1, maxSkipped), per_page: counted(50, maxListed) })
    .refine(({ page, per_page }) => (page - 1) * per_page <= maxSkipped, { path: ['page'] }),
  change: z.object({
    user_metadata: z.strictObject({ full_name: personName }).optional(),
    email: emailAddress.optional(),
    role: z.enum(roles).optional(),
    /** Suspensions never end by themselves. */
    ban_duration: z
      .string()
      .regex(/^(?:none|[1-9]\d{5,6}h)$/)
      .optional(),
  }),
  /** An administrator's deletion has no grace period. */
  remove: z.object({ should_soft_delete: z.literal(false).default(false) }),
};
