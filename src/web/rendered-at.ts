import { createContext } from 'react';

/** When the server rendered the page, in epoch milliseconds; null where it didn't. */
export const RenderedAtContext = createContext<number | null>(null);
