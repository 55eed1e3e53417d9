/**
 * Contracts by feature name.
 *
 * @public `src/app/contract.ts` adds them all.
 */
export interface Contracts {}

export type ApiContract = { [Name in keyof Contracts]: Contracts[Name] };
