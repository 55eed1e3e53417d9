declare module 'virtual:contract' {
  import type { AnyContractRouter } from '@orpc/contract';

  /** Methods and paths of every procedure, without shapes (made in vite.config.ts). */
  const contract: AnyContractRouter;
  export default contract;
}
