import type { ContractRouterClient } from '@orpc/contract';
import { createContext } from 'react-router';
import type { contract } from '../contract.ts';

/** The procedures, called in process as the person who asked for the page. */
type ServerApi = ContractRouterClient<typeof contract>;

/** Why a site shows none of its pages. */
export type ClosedFor = 'maintenance' | 'outage';

/** What the server hands to the loaders and the renderer of one request. */
export interface PageRequest {
  api: ServerApi;
  /** Goes on every inline script and style; the policy admits no other. */
  nonce: string;
  requestId: string;
  /** The address that people see, without a trailing slash. */
  appUrl: string;
  demo: boolean;
  /** Why the site is closed to the person who asks; null: it is open. */
  closed: ClosedFor | null;
  /** Writes to the server's log why a page failed. */
  report(error: unknown): void;
}

/** The page's request, set by the server for each one. */
export const pageRequest = createContext<PageRequest>();
