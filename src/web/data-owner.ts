import { createContext } from 'react';

export const DataOwnerContext = createContext<string | null>(null);
