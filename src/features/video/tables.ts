/** The room of an online session that its provider has ended. */
export interface VideoRoomsTable {
  appointment_id: string;
  ended_at: Date;
  /** Null: their account is gone. */
  ended_by: string | null;
}

/** Whom the provider has let in: they needn't wait again. */
export interface RoomAdmissionsTable {
  appointment_id: string;
  person_id: string;
  admitted_at: Date;
}

/** One browser in a room, as long as its server process says that its socket is open. */
export interface RoomPeersTable {
  /** Its connection's. */
  peer_id: string;
  appointment_id: string;
  person_id: string;
  process_id: string;
  entered_at: Date;
  seen_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    video_rooms: VideoRoomsTable;
    room_admissions: RoomAdmissionsTable;
    room_peers: RoomPeersTable;
  }
}
