import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

const roomRefusals = ['early', 'over', 'cancelled', 'unconfirmed', 'ended', 'consent_missing'] as const;

export type RoomRefusal = (typeof roomRefusals)[number];

const roomParts = ['provider', 'client', 'guest'] as const;

export type RoomPart = (typeof roomParts)[number];

const sessionPage = z.object({
  appointmentId: uuid,
  sessionType: z.enum(sessionTypes),
  part: z.enum(roomParts),
  ownName: z.string(),
  service: z.string(),
  provider: z.object({
    id: uuid,
    name: z.string(),
    title: z.string(),
    photoUrl: z.string().nullable(),
    takesMessages: z.boolean(),
    /** From the directory, if the appointment names none. */
    location: z.string(),
  }),
  others: z.array(z.object({ personId: uuid, name: z.string(), part: z.enum(roomParts) })),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  opensAt: instant,
  closesAt: instant,
  refusal: z.enum(roomRefusals).nullable(),
  completable: z.boolean(),
  /** Also the fallback for online sessions. */
  phone: z.object({
    caller: z.enum(['provider', 'client']),
    /** Null for whoever needn't know it. */
    number: z.string().nullable(),
    given: z.boolean(),
  }),
  place: z
    .object({
      name: z.string(),
      address: z.string(),
      directions: z.string(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    })
    .nullable(),
});

/** One browser; a person may have several. */
const peer = z.object({
  /** The connection's id; signals are addressed to it. */
  peerId: z.string(),
  personId: uuid,
  name: z.string(),
  part: z.enum(roomParts),
  /** Only the provider sees waiting peers. */
  waiting: z.boolean(),
});

/** `peers` is empty for people still waiting. */
const room = z.object({
  admitted: z.boolean(),
  providerHere: z.boolean(),
  peers: z.array(peer),
});

/** In the format of `RTCPeerConnection`. */
const iceServers = z.array(
  z.object({ urls: z.array(z.string()), username: z.string().optional(), credential: z.string().optional() }),
);

export type SessionPage = z.infer<typeof sessionPage>;
export type Peer = z.infer<typeof peer>;
export type Room = z.infer<typeof room>;
export type IceServers = z.infer<typeof iceServers>;

const one = z.object({ appointmentId: uuid });
const member = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });
const provider = procedure.meta({ access: ['manage_own_appointments'] });

export const videoContract = {
  page: member
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/sessions/{appointmentId}' })
    .input(one)
    .output(sessionPage),
  room: member
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/sessions/{appointmentId}/room' })
    .input(one)
    .output(room),
  /** Credentials are per person and room and expire when the room closes. Throws if already closed. */
  iceServers: member
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/sessions/{appointmentId}/ice-servers' })
    .input(one)
    .output(iceServers),
  admit: provider
    .meta({
      writes: ['video.admitted service_management appointment'],
      example: ({ appointmentId, clientId }) => ({ appointmentId, personId: clientId }),
    })
    .route({ method: 'POST', path: '/sessions/{appointmentId}/admit' })
    .input(one.extend({ personId: uuid }))
    .output(z.object({ personId: uuid })),
  end: provider
    .meta({
      writes: ['video.ended service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/sessions/{appointmentId}/end' })
    .input(one)
    .output(sessionPage),
};

/**
 * WebSocket messages about a room. `room.enter` makes the connection a waiting or admitted peer; `room.here` returns
 * its peer id, and `room.changed` asks it to refetch the room. `room.signal` reaches one other peer in the room as
 * `room.signal` with `{ from, signal }`. Closing the socket leaves the room.
 */
export const roomFrames = {
  enter: { type: 'room.enter', schema: one },
  leave: { type: 'room.leave', schema: one },
  /** A WebRTC session description or ICE candidate; `to` and `from` are peer ids. */
  signal: {
    type: 'room.signal',
    schema: one.extend({ to: uuid, signal: z.unknown() }),
  },
} as const;
