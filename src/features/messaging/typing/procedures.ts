import { z } from 'zod';
import { authorise } from '#/features/access/rules.ts';
import { frame } from '#/platform/realtime/frames.ts';
import { memberOf } from '../membership/queries.ts';

/** Broadcasts a typing indicator to the counterpart. Nothing is stored. */
export const typingFrame = frame({
  type: 'messages.typing',
  schema: z.object({ conversationId: z.uuid() }),
  async handle(ctx, { conversationId }, connection) {
    authorise(ctx.actor, ['send_messages']);
    const { otherId } = await memberOf(ctx, conversationId);
    connection.tell([`person:${otherId}`], { type: 'messages.typing', id: conversationId });
  },
});
