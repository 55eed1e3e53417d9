import { createContext } from 'react';

/** The signed-in account's time zone; null for guests and accounts without one. */
export const AccountZoneContext = createContext<string | null>(null);
