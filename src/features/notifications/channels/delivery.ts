import type { MailKind } from '#/kernel/mail-kinds.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { ReactionParts } from '#/platform/feature.ts';
import type { Reaction } from '#/platform/jobs/reactions.ts';
import type { MailAttachment } from '#/platform/mail/tables.ts';
import type { Letter, MailSite } from '../rules.ts';

/** A letter to one recipient. */
export interface Delivery {
  /** Identifies event and recipient; sent once per key. Must not reveal content. */
  key: string;
  kind: MailKind;
  /** `id`: the person's, if they have an account. */
  to: { id?: string; email: string };
  letter: Letter;
  attachments?: readonly MailAttachment[];
  /** Such as sign-in links: takes priority. */
  urgent?: boolean;
  /** After this time it isn't sent, for example because its link expired. */
  expiresAt?: Temporal.Instant | undefined;
  /** One-click unsubscribe (RFC 8058); omitted for essential letters. */
  unsubscribeUrl?: string;
  /** Reply-To, if it differs from the sender. */
  replyTo?: string;
}

/** A way to reach recipients. */
export interface Channel {
  /** Queues deliveries in the transaction. Must skip keys it already used, since jobs repeat. */
  queue(tx: TxCtx, deliveries: readonly Delivery[], site: MailSite): Promise<void>;
  /** Reactions that send them after the commit. */
  reactions(parts: ReactionParts): readonly Reaction[];
}
