import { z } from 'zod';
import { line } from '#/features/access/contract.ts';
import { identityInputs } from '../identity/contract.ts';

const { email } = identityInputs['/request-sign-in-code'].shape;
const { password } = identityInputs['/sign-in/email'].shape;
const { emailCode } = identityInputs['/sign-in/code'].shape;
/** The published service writes numbers with and without `+`, always with their country. */
const phone = identityInputs['/request-texted-code'].shape.phone.transform((typed) =>
  typed.startsWith('+') ? typed : `+${typed}`,
);

/** Other fields, such as roles, are ignored. */
const data = z.object({ full_name: line.max(200).optional(), name: line.max(200).optional() }).nullish();

/** Inputs of the published client's sign-in calls. Fields we don't use are ignored. */
export const signInInputs = {
  signUp: z.object({ email, password, data }),
  password: z.object({ email, password }),
  refresh: z.object({ refresh_token: z.string().min(1).max(200) }),
  email: z.object({ email }),
  verify: z.object({ email, token: emailCode, type: z.enum(['email', 'magiclink']) }),
  phone: z.object({ phone, channel: z.literal('sms').optional() }),
  verifyPhone: z.object({ phone, token: emailCode }),
  resend: z.object({ email, type: z.enum(['signup', 'email']) }),
};
