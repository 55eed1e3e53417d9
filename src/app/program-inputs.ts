import { z } from 'zod';

const token = z
  .string()
  .max(8_000)
  .regex(/^[\w.-]+$/);
/** Inputs of the published client to a topic, by event. */
export const programInputs = {
  join: z.object({
    config: z
      .strictObject({
        broadcast: z.strictObject({ ack: z.boolean(), self: z.boolean() }).partial(),
        presence: z.strictObject({ key: z.string(), enabled: z.boolean() }).partial(),
        private: z.boolean(),
        // Programs read rows through the API.
        postgres_changes: z.array(z.unknown()).max(0),
      })
      .partial()
      .default({}),
    access_token: token.nullish(),
  }),
  token: z.object({ access_token: token }),
  broadcast: z.strictObject({
    type: z.literal('broadcast'),
    event: z.string().max(100),
    payload: z.record(z.string(), z.unknown()).default({}),
  }),
  presence: z.strictObject({
    type: z.literal('presence'),
    event: z.enum(['track', 'untrack']),
    // The shown presence comes from the server.
    payload: z.strictObject({}).optional(),
  }),
} as const;
