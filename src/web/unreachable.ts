/** The server can't be reached or failed unexpectedly. Typed input is kept. */
export class Unreachable extends Error {}
