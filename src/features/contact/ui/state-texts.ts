import { m } from '#/texts/messages.js';
import type { ContactState } from '../contract.ts';

export const stateTexts: Readonly<Record<ContactState, () => string>> = {
  open: m.contact_inbox_new_state,
  answered: m.contact_inbox_answered,
  closed: m.contact_inbox_closed,
};
