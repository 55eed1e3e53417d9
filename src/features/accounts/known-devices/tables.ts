/** A browser known to an account: it signed in there, or its owner followed an unlock link. */
export interface KnownDevicesTable {
  id: string;
  user_id: string;
  /** SHA-256 of the browser's cookie value. */
  token: string;
  created_at: Date;
  used_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    known_devices: KnownDevicesTable;
  }
}
