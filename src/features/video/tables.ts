export interface VideoRoomsTable {
  appointment_id: string;
  ended_at: Date;
  ended_by: string | null;
}

/** Admitted participants, who skip the waiting room. */
export interface RoomAdmissionsTable {
  appointment_id: string;
  person_id: string;
  admitted_at: Date;
}

/** One browser in a room, present while its server process reports an open socket. */
export interface RoomPeersTable {
  /** The connection's id. */
  peer_id: string;
  appointment_id: string;
  person_id: string;
  process_id: string;
  entered_at: Date;
  seen_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    video_rooms: VideoRoomsTable;
    room_admissions: RoomAdmissionsTable;
    room_peers: RoomPeersTable;
  }
}
