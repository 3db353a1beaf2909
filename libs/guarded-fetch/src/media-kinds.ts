/** What a caller may name by address. */
export type MediaKind = 'image' | 'pdf' | 'video';

type KindRow = {
  /** How the kind is called in refusals. */
  readonly name: string;
  readonly bytesMax: number;
  readonly accept: string;
  readonly formats: string;
};

const MIB = 1024 * 1024;

export const MEDIA_KINDS: Readonly<Record<MediaKind, KindRow>> = {
  image: { name: 'an image', bytesMax: 20 * MIB, accept: 'image/*', formats: 'PNG, JPEG, GIF or WebP' },
  pdf: { name: 'a document', bytesMax: 50 * MIB, accept: 'application/pdf', formats: 'PDF' },
  video: { name: 'a video', bytesMax: 200 * MIB, accept: 'video/*', formats: 'MP4, QuickTime, WebM, Matroska, AVI, MPEG, FLV, WMV or 3GP' },
};
