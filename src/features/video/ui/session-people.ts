import type { SessionPage } from '../contract.ts';

/** Names everyone in the session but the viewer. */
export function namesOf({ others }: SessionPage): string {
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(others.map(({ name }) => name));
}
