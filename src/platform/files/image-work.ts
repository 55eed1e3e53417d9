export interface Shape {
  width: number;
  height: number;
}

export interface Crop {
  /** Offsets as fractions of width and height. */
  left: number;
  top: number;
  /** Fraction of the largest crop that fits; for squares, of the shorter side. */
  side: number;
}

export type ImageTask = { make: 'shape'; shape: Shape; crop: Crop | null } | { make: 'copy' };

export type ImageAnswer =
  | { width: number; height: number }
  | { refusal: 'image_too_many_pixels' | 'image_unreadable' };
