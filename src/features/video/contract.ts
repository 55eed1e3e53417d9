import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/booking/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

/** Why a session's room is shut; each has its own sentence. */
const roomRefusals = ['early', 'over', 'cancelled', 'unconfirmed', 'ended', 'consent_missing'] as const;

export type RoomRefusal = (typeof roomRefusals)[number];

/** What somebody is in a session. */
const roomParts = ['provider', 'client', 'guest'] as const;

export type RoomPart = (typeof roomParts)[number];

/** The page of a session as one of those sees it who take part; anybody else's answers not_found. */
const sessionPage = z.object({
  appointmentId: z.uuid(),
  sessionType: z.enum(sessionTypes),
  part: z.enum(roomParts),
  /** As the others in the room read one's name. */
  ownName: z.string(),
  service: z.string(),
  provider: z.object({
    id: z.uuid(),
    name: z.string(),
    title: z.string(),
    photoUrl: z.string().nullable(),
    takesMessages: z.boolean(),
    /** Where they receive people who have no place of their own named, as the directory says it. */
    location: z.string(),
  }),
  /** Who is expected beside oneself, by name alone. */
  others: z.array(z.object({ name: z.string(), part: z.enum(roomParts) })),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  opensAt: instant,
  closesAt: instant,
  refusal: z.enum(roomRefusals).nullable(),
  /** The provider may note that it took place. */
  completable: z.boolean(),
  /** Of a session by phone, and what an online one falls back to: who calls whom, and at which number. */
  phone: z.object({
    caller: z.enum(['provider', 'client']),
    /** The number to call; null for the one who is called, or where none was given. */
    number: z.string().nullable(),
    /** Whether the client gave a number. */
    given: z.boolean(),
  }),
  /** Of a session in person. */
  place: z
    .object({
      name: z.string(),
      address: z.string(),
      /** How to find the door. */
      directions: z.string(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    })
    .nullable(),
});

/** One browser in a room; somebody with two has two. */
const peer = z.object({
  /** The connection's: whom signals are sent to. */
  peerId: z.string(),
  personId: z.uuid(),
  name: z.string(),
  part: z.enum(roomParts),
  /** Not let in yet; only the provider hears of those who wait. */
  waiting: z.boolean(),
});

/** Who is in a room now. For one who waits it is empty. */
const room = z.object({
  admitted: z.boolean(),
  /** The provider is there, and can let one in. */
  providerHere: z.boolean(),
  peers: z.array(peer),
});

/** STUN and TURN servers, as RTCPeerConnection takes them. */
const iceServers = z.array(
  z.object({ urls: z.array(z.string()), username: z.string().optional(), credential: z.string().optional() }),
);

export type SessionPage = z.infer<typeof sessionPage>;
export type Peer = z.infer<typeof peer>;
export type Room = z.infer<typeof room>;
export type IceServers = z.infer<typeof iceServers>;

const one = z.object({ appointmentId: z.uuid() });
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
  /** With credentials for a person and a room that end when it closes. Refused while the room is shut. */
  iceServers: member
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/sessions/{appointmentId}/ice-servers' })
    .input(one)
    .output(iceServers),
  /** Lets somebody in who waits; they needn't wait again. */
  admit: provider
    .meta({
      writes: ['video.admitted service_management appointment'],
      example: ({ appointmentId, clientId }) => ({ appointmentId, personId: clientId }),
    })
    .route({ method: 'POST', path: '/sessions/{appointmentId}/admit' })
    .input(one.extend({ personId: z.uuid() }))
    .output(z.object({ personId: z.uuid() })),
  /** Ends it for everybody. The appointment can then be completed as ever. */
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
 * What browsers say on their socket about a room. `room.enter` makes the connection a peer: it waits, or is in, and hears
 * `room.changed` whenever the room is to be fetched anew; `room.here` answers it with its own peer id. `room.signal`
 * reaches one other peer of the same room as `room.signal` with `{ from, signal }`. Closing the socket leaves.
 */
export const roomFrames = {
  enter: { type: 'room.enter', schema: one },
  leave: { type: 'room.leave', schema: one },
  /** A description or a candidate of WebRTC; `to` and `from` are peer ids. */
  signal: {
    type: 'room.signal',
    schema: one.extend({ to: z.uuid(), signal: z.unknown() }),
  },
} as const;

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    video: typeof videoContract;
  }
}
