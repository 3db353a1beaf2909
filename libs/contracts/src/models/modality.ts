export const MODALITIES = ['chat', 'embedding', 'image', 'speech', 'transcription'] as const;

/** What a model produces, and which list and access list it belongs to. */
export type Modality = (typeof MODALITIES)[number];

export type PermissionLevel = 'none' | 'read' | 'write';
