/** What a picture is made into, in pixels; the ratio of its sides is the shape that is cut out of it. */
export interface Shape {
  width: number;
  height: number;
}

/** The part of an upright picture that is shown. */
export interface Crop {
  /** Where it begins, in fractions of the picture's width and height. */
  left: number;
  top: number;
  /** In fractions of the largest part of the shape that the picture holds; of a square, its shorter side. */
  side: number;
}

/** What the image process is asked to do with the picture that it reads from standard input. */
export type ImageTask = { make: 'shape'; shape: Shape; crop: Crop | null } | { make: 'copy' };

/** What it answers in a line of JSON; the new picture follows the line. */
export type ImageAnswer =
  { width: number; height: number } | { refusal: 'image_too_many_pixels' | 'image_unreadable' };
