import { rowsOf, type PersonalPart } from '#/platform/personal.ts';

export const videoPersonal: PersonalPart = {
  name: 'video',
  async collect({ db }, personId) {
    const [video_rooms, room_admissions, room_peers] = await Promise.all([
      rowsOf(db, 'video_rooms', 'ended_by', personId, 'ended_at', 'appointment_id'),
      rowsOf(db, 'room_admissions', 'person_id', personId, 'admitted_at', 'appointment_id'),
      rowsOf(db, 'room_peers', 'person_id', personId, 'entered_at', 'peer_id'),
    ]);
    return { tables: { video_rooms, room_admissions, room_peers } };
  },
  async erase({ db }, personId) {
    await db.updateTable('video_rooms').set({ ended_by: null }).where('ended_by', '=', personId).execute();
    await db.deleteFrom('room_admissions').where('person_id', '=', personId).execute();
    await db.deleteFrom('room_peers').where('person_id', '=', personId).execute();
  },
};
