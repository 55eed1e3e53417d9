import type { Ctx } from '../context.ts';

/** Who is there, as other programs see it. */
export interface Presence {
  /** Person. */
  key: string;
  /** Changes with what is shown. */
  ref: string;
  shown: Readonly<Record<string, unknown>>;
}

/** What other programs hear and say about one thing, under the topic `name:id`. */
export interface Channel {
  name: string;
  /** Input field of the frames that holds the thing's id. */
  idField: string;
  /** Types of messages and frames by the event that stands for them. */
  events: Readonly<Record<string, string>>;
  /** Throws unless the person may listen. */
  authorize(ctx: Ctx, id: string): Promise<void>;
  presence?: {
    /** Types of the frames. */
    enter: string;
    leave: string;
    /** Type of the message that asks to read anew. */
    changed: string;
    read(ctx: Ctx, id: string): Promise<readonly Presence[]>;
  };
}
