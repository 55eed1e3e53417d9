import type { z } from 'zod';
import type { Ctx } from '../context.ts';
import type { RealtimeMessage } from './notices.ts';

/** One socket of a signed-in person, as those see it who take in what its browser says. */
export interface Connection {
  /** A new one for each socket. */
  id: string;
  /** Lets the socket hear a topic until it closes. The server decides which; nothing that a browser sends names one. */
  grant(topic: string): void;
  /** The socket doesn't hear the topic any more. */
  withdraw(topic: string): void;
  /** Says something to this browser alone. */
  send(message: RealtimeMessage): void;
  /** Says what is nowhere stored to everyone who was granted one of the topics, in every process; lost while the database is. */
  tell(topics: readonly string[], message: RealtimeMessage): void;
  /**
   * Does something once the socket is closed, whoever closed it, and all that it said was heard; the last thing that was
   * asked for a key counts.
   */
  onClose(key: string, act: (ctx: Ctx) => Promise<void>): void;
}

/**
 * What became of something that a browser said. `garbage` was no frame; `ended`: who said it is signed in no more;
 * `changed`: they aren't who they were when the socket was opened, so it has to be opened anew.
 */
export type Hearing = 'heard' | 'garbage' | 'ended' | 'changed';

/** Something that browsers may say on their socket; like a procedure, but nothing is answered unless `handle` sends it. */
export interface Frame {
  type: string;
  /** Of the frame without its type. What doesn't fit is answered `refused`. */
  schema: z.ZodType;
  /** Authorises first. Refusals are AppErrors like any procedure's and are answered `refused` with their reason. */
  handle(ctx: Ctx, input: unknown, connection: Connection): Promise<void>;
}

/** Types one frame by its schema. */
export function frame<Schema extends z.ZodType>(definition: {
  type: string;
  schema: Schema;
  handle(ctx: Ctx, input: z.infer<Schema>, connection: Connection): Promise<void>;
}): Frame {
  return definition;
}
