/**
 * Contracts by feature name.
 *
 * @public Each `contract.ts` adds its own.
 */
export interface Contracts {}

export type ApiContract = { [Name in keyof Contracts]: Contracts[Name] };
