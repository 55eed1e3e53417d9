import type { Readdressed } from '#/features/accounts/address-change/commands.ts';
import { personOf } from '#/features/accounts/queries.ts';
import type { AccountChange } from '#/features/accounts/rules.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { Delivery } from '../channels/delivery.ts';
import { mailSettings } from '../queries.ts';
import { deletionKeyPrefix } from '../rules.ts';
import { accountLetter, longMoment, type AccountTopic } from './account-letter.ts';
import { accountDeliveries, knownZone } from './accounts.ts';
import { deliver } from './notification.ts';

/** Even if notifications are off. */
export async function mailAccountChange(
  tx: TxCtx,
  userId: string,
  change: AccountChange,
  appUrl: string,
): Promise<void> {
  const eventId = change === 'deleted' ? `${deletionKeyPrefix}${tx.newId()}` : tx.newId();
  const { site } = await mailSettings(tx, appUrl);
  await deliver(tx, await accountDeliveries(tx, change, { userId }, { eventId, site }), site);
}

export async function mailAddresses(
  tx: TxCtx,
  userId: string,
  { from, to }: { from: string; to: string },
  outcome: Readdressed,
  appUrl: string,
): Promise<void> {
  const { fullName, timeZone } = await personOf(tx, userId);
  const { site } = await mailSettings(tx, appUrl);
  const undoUntil = 'until' in outcome ? outcome.until : undefined;
  const until = undoUntil ? longMoment(undoUntil.epochMilliseconds, knownZone(timeZone), site.locale) : '';
  const token = outcome.kind === 'held' ? outcome.token : null;
  const topics: [string, AccountTopic][] =
    outcome.kind === 'own'
      ? [
          [from, { kind: 'email_changed', token: outcome.token, address: to, until }],
          [to, { kind: 'email_changed_new' }],
        ]
      : [[from, token ? { kind: 'address_changed', token, until } : { kind: 'former_address' }]];
  if (outcome.kind === 'held') topics.push([to, { kind: 'new_address', until }]);
  if (outcome.kind === 'given_back') topics.push([to, { kind: 'address_given_back' }]);
  const deliveries = topics.map(([email, topic]): Delivery => ({
    key: `${tx.newId()}:${userId}`,
    kind: 'address_change',
    to: { id: userId, email },
    letter: accountLetter(topic, fullName, site),
    expiresAt: undoUntil,
  }));
  await deliver(tx, deliveries, site);
}
