import type { z } from 'zod';
import type { Ctx } from '../context.ts';
import type { RealtimeMessage } from './notices.ts';

export interface Connection {
  id: string;
  /** Subscribes the socket to a topic until it closes. Only the server chooses topics, never the browser. */
  grant(topic: string): void;
  withdraw(topic: string): void;
  send(message: RealtimeMessage): void;
  /** Broadcasts an unsaved message to the topics' subscribers in every process; lost during database outages. */
  tell(topics: readonly string[], message: RealtimeMessage): void;
  /** Runs `act` after the socket closes and pending frames are handled. A later call with the same key replaces it. */
  onClose(key: string, act: (ctx: Ctx) => Promise<void>): void;
}

/** A program's socket, without a person before its first token. */
export interface ProgramConnection extends Connection {
  write(text: string): void;
  /** Closes the socket as signed out. */
  end(): void;
  /** Moves the socket to another limit; returns false if full. */
  moveTo(personId: string): boolean;
}

/**
 * Result of handling a frame. `garbage`: malformed; `ended`: signed out; `changed`: the account changed since the
 * socket opened, so it must reconnect.
 */
export type FrameResult = 'handled' | 'garbage' | 'ended' | 'changed';

export interface Frame {
  type: string;
  /** Excludes `type`. Invalid frames get `refused`. */
  schema: z.ZodType;
  /** Authorizes first. AppErrors are answered with `refused`. */
  handle(ctx: Ctx, input: unknown, connection: Connection): Promise<void>;
}

export function frame<Schema extends z.ZodType>(definition: {
  type: string;
  schema: Schema;
  handle(ctx: Ctx, input: z.infer<Schema>, connection: Connection): Promise<void>;
}): Frame {
  return definition;
}
