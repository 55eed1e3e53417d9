declare module 'virtual:contract' {
  import type { AnyContractRouter } from '@orpc/contract';

  /** Methods and paths of every procedure, without schemas (generated in vite.config.ts). */
  const contract: AnyContractRouter;
  export default contract;
}
