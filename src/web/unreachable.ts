/** Thrown when the server can't be reached or answers with a defect; nothing that was typed is lost by it. */
export class Unreachable extends Error {}
