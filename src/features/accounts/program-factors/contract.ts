import { z } from 'zod';

/** The published client's inputs for second factors. */
export const factorInputs = {
  enroll: z.object({ factor_type: z.literal('totp') }),
  challenge: z.object({}),
  verify: z.object({ challenge_id: z.uuid(), code: z.string().trim().min(1).max(40) }),
};

export interface EnrolledFactor {
  id: string;
  type: 'totp';
  totp: {
    /** SVG. */
    qr_code: string;
    secret: string;
    uri: string;
  };
}
