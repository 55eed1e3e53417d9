import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { identityInputs } from '../identity/contract.ts';

const signInPhone = z.object({
  /** E.164. */
  phone: z.string(),
  createdAt: z.iso.datetime(),
});

export type SignInPhoneView = z.infer<typeof signInPhone>;

const { phone } = identityInputs['/request-texted-code'].shape;
const { emailCode: code } = identityInputs['/sign-in/code'].shape;

const own = procedure.meta({ access: 'signed_in' });

export const signInPhoneContract = {
  get: own.route({ method: 'GET', path: '/me/sign-in-phone' }).output(signInPhone.nullable()),
  /** Texts a code to the number, which `add` takes in the same session. */
  begin: own
    .meta({
      writes: ['phone_code_requested security person'],
      example: () => ({ phone: '(212) 555-0123' }),
    })
    .route({ method: 'POST', path: '/me/sign-in-phone/code' })
    .input(z.object({ phone }))
    .output(z.object({ phone: z.string() })),
  add: own
    .meta({
      writes: ['sign_in_phone_added security person'],
      example: () => ({ phone: '(212) 555-0123', code: '123456' }),
    })
    .route({ method: 'POST', path: '/me/sign-in-phone' })
    .input(z.object({ phone, code }))
    .output(signInPhone),
  remove: own
    .meta({ writes: ['sign_in_phone_removed security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/me/sign-in-phone/remove' })
    .input(z.strictObject({}))
    .output(z.null()),
};
