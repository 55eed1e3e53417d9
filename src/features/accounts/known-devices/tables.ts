/** A browser in which an account was signed in to, or whose owner followed a mailed link that unlocks sign-in. */
export interface KnownDevicesTable {
  id: string;
  user_id: string;
  /** The SHA-256 of what the browser's cookie holds. */
  token: string;
  created_at: Date;
  /** The last sign-in. */
  used_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    known_devices: KnownDevicesTable;
  }
}
