import { createContext } from 'react';

/** Whose data the page fetches: the id of who is signed in, null for a guest. */
export const DataOwnerContext = createContext<string | null>(null);
