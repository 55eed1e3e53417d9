import { createContext } from 'react';

/** The zone of the account that is signed in; null for a guest, and while it has none. */
export const AccountZoneContext = createContext<string | null>(null);
