import type { ContractRouterClient } from '@orpc/contract';
import { createContext } from 'react-router';
import type { ApiContract } from '#/kernel/contracts.ts';

type ServerApi = ContractRouterClient<ApiContract>;

export type ClosedFor = 'maintenance' | 'outage';

export interface PageRequest {
  api: ServerApi;
  /** Required on inline scripts by the CSP. */
  nonce: string;
  requestId: string;
  /** The public URL without a trailing slash. */
  appUrl: string;
  demo: boolean;
  /** Null if open to this person. */
  closed: ClosedFor | null;
  report(error: unknown): void;
}

export const pageRequest = createContext<PageRequest>();
