import type { Ctx } from '../context.ts';

/** Presence as other programs see it. */
export interface Presence {
  /** Person. */
  key: string;
  /** Changes with what is shown. */
  ref: string;
  shown: Readonly<Record<string, unknown>>;
}

/** Events of one object for other programs, under the topic `name:id`. */
export interface Channel {
  name: string;
  /** Frame field with the object's id. */
  idField: string;
  /** Message and frame types, by event name. */
  events: Readonly<Record<string, string>>;
  /** Throws unless the person may listen. */
  authorize(ctx: Ctx, id: string): Promise<void>;
  presence?: {
    /** Types of the frames. */
    enter: string;
    leave: string;
    /** Message type after which presence is read again. */
    changed: string;
    read(ctx: Ctx, id: string): Promise<readonly Presence[]>;
  };
}
