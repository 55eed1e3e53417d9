/** No response arrived. */
export class Unreachable extends Error {}
