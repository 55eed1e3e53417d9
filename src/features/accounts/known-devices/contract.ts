import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';

const own = procedure.meta({ access: 'signed_in' });

const trustedDevice = z.object({
  id: uuid,
  browser: z.string().nullable(),
  system: z.string().nullable(),
  trustedUntil: z.iso.datetime(),
  current: z.boolean(),
});

export type TrustedDevice = z.infer<typeof trustedDevice>;

export const trustedDevicesContract = {
  /** Last used first. */
  list: own.route({ method: 'GET', path: '/me/trusted-devices' }).output(z.array(trustedDevice)),
  forget: own
    .meta({ writes: ['device_distrusted security person'], example: ({ id }) => ({ id }) })
    .route({ method: 'POST', path: '/me/trusted-devices/{id}/forget' })
    .input(z.object({ id: uuid }))
    .output(z.array(trustedDevice)),
};
