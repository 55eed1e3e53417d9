/**
 * The contract of each feature by its name in the API.
 *
 * @public Each `contract.ts` adds its own.
 */
export interface Contracts {}

/** Every procedure of the product, as the API's library takes it. */
export type ApiContract = { [Name in keyof Contracts]: Contracts[Name] };
