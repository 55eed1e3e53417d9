import { authorise } from '#/features/access/rules.ts';
import type { RelayConfig } from '#/platform/config.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { frame } from '#/platform/realtime/frames.ts';
import { admit, endRoom, forgetEndedRooms } from './commands.ts';
import { roomFrames, videoContract } from './contract.ts';
import { videoPersonal } from './personal.ts';
import { endPresence, enterRoom, keepPresence, leaveRoom } from './presence/commands.ts';
import { roomOf } from './presence/queries.ts';
import { iceServersOf, sessionPage } from './queries.ts';
import { videoReactions } from './presence/reactions.ts';
import { passSignal } from './signalling/commands.ts';

const member = ['view_own_appointments', 'manage_own_appointments'] as const;

const os = bind(videoContract);

export const video = defineFeature({
  handlers: ({ relay }: { relay: RelayConfig }) => ({
    video: os.router({
      page: os.page.handler(({ context, input }) => sessionPage(context, input.appointmentId)),
      room: os.room.handler(({ context, input }) => roomOf(context, input.appointmentId)),
      iceServers: os.iceServers.handler(({ context, input }) =>
        iceServersOf(context, relay, input.appointmentId),
      ),
      admit: os.admit.handler(({ context, input }) => admit(context, input.appointmentId, input.personId)),
      end: os.end.handler(({ context, input }) => endRoom(context, input.appointmentId)),
    }),
  }),
  frames: [
    frame({
      ...roomFrames.enter,
      handle: (ctx, { appointmentId }, connection) => {
        authorise(ctx.actor, member);
        return enterRoom(ctx, appointmentId, connection);
      },
    }),
    frame({
      ...roomFrames.leave,
      handle: (ctx, { appointmentId }, connection) => {
        authorise(ctx.actor, member);
        return leaveRoom(ctx, { peerId: connection.id, appointmentId });
      },
    }),
    frame({
      ...roomFrames.signal,
      handle: (ctx, input, connection) => {
        authorise(ctx.actor, member);
        return passSignal(ctx, input, connection);
      },
    }),
  ],
  reactions: () => videoReactions,
  schedules: () => [{ name: 'presence', every: { seconds: 10 }, run: keepPresence, end: endPresence }],
  personal: [videoPersonal],
  tidy: [forgetEndedRooms],
});
