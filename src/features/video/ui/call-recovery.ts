import type { CallConnections } from './call-connections.ts';
import { isGivenUp, isMadeAnew } from './call-rules.ts';

/** Drops connections whose peer left for good, and replaces those that stay down. */
export function recoverConnections({ all, drop, replace }: CallConnections, onChange: () => void): void {
  const now = performance.now();
  for (const [id, connection] of all) {
    const { link, absentSince } = connection;
    const downSince = link.downSince();
    const absentFor = absentSince === null ? null : now - absentSince;
    const downFor = downSince === null ? null : now - downSince;
    if (isGivenUp({ absentFor, dead: link.state() === 'closed' })) drop(id, connection);
    else if (isMadeAnew({ downFor, present: absentSince === null })) replace(id, connection).link.greet(true);
    else continue;
    onChange();
  }
}
