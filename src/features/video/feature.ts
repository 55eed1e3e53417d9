import { authorize } from '#/features/access/rules.ts';
import type { RelayConfig } from '#/platform/config.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import type { Channel } from '#/platform/realtime/channels.ts';
import { frame } from '#/platform/realtime/frames.ts';
import { admit, endRoom, deleteEndedRooms } from './commands.ts';
import { roomFrames, videoContract } from './contract.ts';
import { videoPersonal } from './personal.ts';
import { endPresence, enterRoom, refreshPresence, leaveRoom } from './presence/commands.ts';
import { roomOf, iceServersOf, sessionPage } from './queries.ts';
import { requireRoom } from './policies.ts';
import { videoReactions } from './presence/reactions.ts';
import { forwardSignal } from './signalling/commands.ts';

const member = ['view_own_appointments', 'manage_own_appointments'] as const;

const room: Channel = {
  name: 'room',
  idField: 'appointmentId',
  events: { signal: roomFrames.signal.type, changed: 'room.changed', here: 'room.here' },
  async authorize(ctx, id) {
    authorize(ctx.actor, member);
    await requireRoom(ctx, id);
  },
  presence: {
    enter: roomFrames.enter.type,
    leave: roomFrames.leave.type,
    changed: 'room.changed',
    async read(ctx, id) {
      const { peers } = await roomOf(ctx, id);
      return peers.map(({ personId, ...shown }) => ({
        key: personId,
        ref: shown.waiting ? `${shown.peerId}:waiting` : shown.peerId,
        shown,
      }));
    },
  },
};

export const video = defineFeature({
  handlers: ({ relay }: { relay: RelayConfig }) => ({
    video: handle(videoContract, {
      page: (ctx, input) => sessionPage(ctx, input.appointmentId),
      room: (ctx, input) => roomOf(ctx, input.appointmentId),
      iceServers: (ctx, input) => iceServersOf(ctx, relay, input.appointmentId),
      admit: (ctx, input) => admit(ctx, input.appointmentId, input.personId),
      end: (ctx, input) => endRoom(ctx, input.appointmentId),
    }),
  }),
  frames: [
    frame({
      ...roomFrames.enter,
      handle: (ctx, { appointmentId }, connection) => {
        authorize(ctx.actor, member);
        return enterRoom(ctx, appointmentId, connection);
      },
    }),
    frame({
      ...roomFrames.leave,
      handle: (ctx, { appointmentId }, connection) => {
        authorize(ctx.actor, member);
        return leaveRoom(ctx, { peerId: connection.id, appointmentId });
      },
    }),
    frame({
      ...roomFrames.signal,
      handle: (ctx, input, connection) => {
        authorize(ctx.actor, member);
        return forwardSignal(ctx, input, connection);
      },
    }),
  ],
  channels: [room],
  reactions: () => videoReactions,
  schedules: () => [
    {
      name: 'presence',
      inEveryProcess: true,
      every: { seconds: 10 },
      run: refreshPresence,
      end: endPresence,
    },
  ],
  personal: [videoPersonal],
  tidy: [deleteEndedRooms],
});
